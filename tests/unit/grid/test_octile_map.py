"""Map and scenario files: what is read, and one line for every fault."""

from pathlib import Path

import pytest

from pynav.grid import MapFormatError, load_octile_map, load_scenario

GOOD = b"type octile\nheight 2\nwidth 3\nmap\n.G@\nTWS\n"


def written(folder: Path, data: bytes) -> Path:
    path = folder / "some.map"
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    "data",
    [
        GOOD,
        GOOD.replace(b"\n", b"\r\n"),
        GOOD.rstrip(b"\n"),
        GOOD + b"\n \r\n",
        GOOD.replace(b"height 2", b"height  2 "),
    ],
)
def test_good_files(tmp_path: Path, data: bytes) -> None:
    assert load_octile_map(written(tmp_path, data)).tolist() == [[1, 1, 0], [0, 0, 1]]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"  \n\n", "empty"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "binary"),
        (GOOD.replace(b"octile", b"hex"), "line 1: expected 'type octile', got 'type hex'"),
        (GOOD.replace(b"height 2", b"height two"), "line 2: expected 'height N', got 'height two'"),
        (GOOD.replace(b"height 2", b"height -2"), "line 2: expected 'height N'"),
        (GOOD.replace(b"height 2\nwidth 3", b"width 3\nheight 2"), "line 2: expected 'height N'"),
        (GOOD.replace(b"width 3", b"width 0"), "line 3: expected a width of 1 to 16384 tiles, got '0'"),
        (GOOD.replace(b"width 3", b"width 99999999999999999999"), "line 3: expected a width of 1 to 16384"),
        (GOOD.replace(b"width 3", b"width 20000"), "got '20000'"),
        (GOOD.replace(b"map\n", b"maps\n"), "line 4: expected 'map', got 'maps'"),
        (b"type octile\nheight 2\n", "line 3: expected 'width N', got nothing"),
        (GOOD.replace(b".G@", b".G"), "line 5: expected a row of 3 tiles, got only 2"),
        (GOOD.replace(b"TWS", b"TW"), "line 6: expected a row of 3 tiles, got only 2"),
        (GOOD.replace(b".G@", b".G@."), "line 5: expected a row of 3 tiles, got a longer one"),
        (GOOD.replace(b"TWS", b"TWSS"), "line 6: expected a row of 3 tiles, got a longer one"),
        (GOOD.replace(b"TWS\n", b""), "expected 2 rows, got 1"),
        (GOOD.replace(b"TWS", b"TxS"), "line 6, column 2: expected one of '.GS@OTW', got 'x'"),
        (GOOD.replace(b"TWS", b"T\xffS"), "line 6, column 2"),
        (GOOD.replace(b".G@", b"\xc3\xa9@"), "line 5, column 1"),
        (GOOD + b"...\n", "line 7: expected the end of the file after 2 rows, got '...'"),
        (GOOD + b"x" * 9000, "got a file of"),
    ],
)
def test_each_fault_has_one_line(tmp_path: Path, data: bytes, words: str) -> None:
    with pytest.raises(MapFormatError) as caught:
        load_octile_map(written(tmp_path, data))
    message = str(caught.value)
    assert words in message
    assert message.startswith(str(tmp_path / "some.map"))
    assert "\n" not in message


def test_a_tiny_file_with_a_huge_header_gets_no_memory(tmp_path: Path) -> None:
    import tracemalloc

    path = written(tmp_path, b"type octile\nheight 16384\nwidth 16384\nmap\n...\n")
    tracemalloc.start()
    with pytest.raises(MapFormatError, match="expected a row of 16384 tiles, got only 3"):
        load_octile_map(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2_000_000


def test_missing_files_and_folders(tmp_path: Path) -> None:
    for load in (load_octile_map, load_scenario):
        with pytest.raises(MapFormatError, match="No such file"):
            load(tmp_path / "absent")
        with pytest.raises(MapFormatError, match="folder"):
            load(tmp_path)


SCEN = "version 1\n0\tarena.map\t49\t49\t1\t11\t1\t12\t1\n"


@pytest.mark.parametrize(
    "text", [SCEN, SCEN.replace("\t", " "), SCEN.replace("\n", "\r\n"), SCEN.replace("1\n", "1.0\n", 1) + "\n"]
)
def test_good_scenarios(tmp_path: Path, text: str) -> None:
    path = written(tmp_path, text.encode())
    assert load_scenario(path) == [(0, "arena.map", 49, 49, (1, 11), (1, 12), 1.0)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        ("version 1\n\n", "at least one problem"),
        ("version 2\n", "line 1: expected 'version 1', got 'version 2'"),
        (SCEN + "0\tarena.map\t49\n", "line 3: expected 9 fields"),
        (SCEN + "0 a.map 49 49 1 11 1 12 1 7\n", "got 10"),
        (SCEN.replace("\t11", "\tx"), "line 2: expected numbers"),
        (SCEN.replace("\t11", "\t49"), r"line 2: expected tiles within 49 x 49, got (1, 49)"),
        (SCEN.replace("49\t49", "0\t49"), "at least 1 x 1"),
        (SCEN.replace("12\t1\n", "12\tnan\n"), "length of 0 or more, got 'nan'"),
        (SCEN.replace("12\t1\n", "12\t-3\n"), "length of 0 or more"),
        ("version 1\n\0", "binary"),
    ],
)
def test_each_scenario_fault_has_one_line(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(MapFormatError) as caught:
        load_scenario(written(tmp_path, text.encode()))
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)

"""Help at F1: every class, property, method, signal and constant has a page and a text of its own, in the editor itself."""

from __future__ import annotations

import re
from enum import IntEnum
from pathlib import Path

from addons.pynav.bridge.help_text import linked, member_texts, paragraphs
from tests.godot.editor_project import EditorProject, told
from tests.godot.node_project import ROOT

_READ_PAGES = """
	await frames(60)
	var pages := {}
	var members := {}
	var settings := []
	for name in ClassDB.get_class_list():
		if not ClassDB.class_get_api_type(name) == ClassDB.API_EXTENSION:
			continue
		EditorInterface.get_script_editor().goto_help("class_name:" + name)
		EditorInterface.set_main_screen_editor("Script")
		await frames(25)
		for label in EditorInterface.get_script_editor().find_children("*", "RichTextLabel", true, false):
			if label.is_visible_in_tree():
				pages[name] = label.get_parsed_text()
		var found := []
		for property in ClassDB.class_get_property_list(name, true):
			if property.usage & PROPERTY_USAGE_EDITOR:
				found.append(property.name)
				if not property.usage & PROPERTY_USAGE_READ_ONLY and ClassDB.can_instantiate(name):
					settings.append([name, property.name])
		for signal_info in ClassDB.class_get_signal_list(name, true):
			found.append(signal_info.name)
		for method_info in ClassDB.class_get_method_list(name, true):
			found.append(method_info.name)
		found.append_array(ClassDB.class_get_integer_constant_list(name, true))
		members[name] = found
	print("RESULT pages=" + JSON.stringify(pages))
	print("RESULT members=" + JSON.stringify(members))
	print("RESULT settings=" + JSON.stringify(settings))
"""
NODES = {f"FlowField{what}{plane}" for what in ("Map", "Crowd", "Obstacle", "OneWay") for plane in ("2D", "3D")}
MISSING = "There is currently no description"


def plain(page: str) -> str:
    """A page's text without the spaces that hold words together."""
    return page.replace("\xa0", " ")


def test_every_member_has_a_text_at_f1_from_the_first_start_on(editor_project: EditorProject) -> None:
    """At the first start the editor makes its own pages anew, at the second it has them in its cache: two ways for ours.

    At the first it leaves defaults out, so our texts name them; from then on it lists what it found out itself.
    """
    for start in ("first", "second"):
        run = editor_project.drive(_READ_PAGES, timeout=240)
        assert run.code == 0, run.output
        pages, members = run.results["pages"], run.results["members"]
        assert set(pages) >= NODES | {"NavJobScheduler", "FlowFieldMovementClass"}
        for name, page in pages.items():
            assert MISSING not in page, page[page.index(MISSING) - 300 :][:400]
            accessors = {f"{verb}_{member}" for member in members[name] for verb in ("get", "set")}
            missing = [m for m in members[name] if m not in accessors and not re.search(rf"{re.escape(m)}(?![a-z_])", page)]
            assert missing == [], name
        settings = run.results["settings"]
        assert len(settings) > 100
        for name, setting in settings:
            text = plain(pages[name])
            described = rf"set_{setting}\(value\) setter(?:(?!\) setter).)*Default: "
            assert re.search(rf"{setting}\[default: " if start == "second" else described, text, re.DOTALL), (name, setting)
        texts = plain(pages["FlowFieldMap2D"])
        assert ("size[default: Vector2i(64, 64)]" if start == "second" else "Default: Vector2i(64, 64)") in texts
        assert told(run) == []
    assert "Emitted" in pages["FlowFieldMap2D"]
    assert "It stays; the crowd grows around the goal." in pages["FlowFieldCrowd2D"]


def test_wrapped_lines_are_one_paragraph_and_lists_stay() -> None:
    assert paragraphs("One\n    two.\n\n    Three\n    four:\n    - a\n      b\n    - c") == [
        "One two.",
        "Three four:",
        "- a b",
        "- c",
    ]


def test_names_are_links_where_they_look_like_names() -> None:
    tags = {"set_goal": "[method set_goal]", "size": "[member size]", "Node2D": "[Node2D]"}

    def link(name: str) -> str:
        return tags.get(name, "")

    assert linked("The size of set_goal() and of `size`: `x`.", link) == (
        "The size of [method set_goal] and of [member size]: [code]x[/code]."
    )
    assert linked("Node2D, not Node2Ds or my.set_goal", link) == "[Node2D], not Node2Ds or my.set_goal"


class OnArrival(IntEnum):
    """What it does.

    STOP: It stays;
        the crowd grows.
    REMOVE: It goes.
    """

    STOP = 0
    REMOVE = 1
    WAIT = 2


def test_members_of_an_enum_have_texts_of_their_own() -> None:
    assert member_texts(OnArrival) == {"STOP": "It stays; the crowd grows.", "REMOVE": "It goes.", "WAIT": "What it does."}


def test_every_node_has_an_icon_of_sixteen_pixels() -> None:
    listed = (ROOT / "addons/pynav/pynav.gdextension").read_text().partition("[icons]")[2]
    icons = dict(re.findall(r'^(\w+) = "(.+)"$', listed, re.MULTILINE))
    assert set(icons) >= NODES | {"NavJobScheduler", "FlowFieldMovementClass", "FormationController2D", "FormationController3D"}
    for path in icons.values():
        text = Path(ROOT, "addons/pynav", path).read_text()
        assert 'width="16" height="16"' in text
        imported = Path(ROOT, "addons/pynav", path + ".import").read_text()
        assert "editor/convert_colors_with_editor_theme=true" in imported  # or it can't be seen in a light theme

"""Builds the exported game, a runtime and the package once a session."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.export.elsewhere import Elsewhere, namespaces_allowed
from tools import export, package, runtime

PLAYERS_FOLDER = "Spiele für später"


@pytest.fixture(scope="session")
def engine() -> Path:
    """The Godot of the project; without one nothing can be exported."""
    try:
        return export.find_engine()
    except export.ExportError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def game(engine: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The exported game's binary, in a folder whose name has blanks and a letter outside ASCII."""
    made = export.export(tmp_path_factory.mktemp("export"), engine=engine)
    folder = tmp_path_factory.mktemp("player") / PLAYERS_FOLDER
    shutil.copytree(made.parent, folder)
    shutil.rmtree(made.parent)
    return folder / made.name


@pytest.fixture(scope="session")
def runtime_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A runtime as it ships, moved away from where it was built."""
    try:
        runtime.find_python()
    except runtime.RuntimeBuildError as error:
        pytest.skip(str(error))
    built = runtime.build(tmp_path_factory.mktemp("built") / "x")
    folder = tmp_path_factory.mktemp("player") / PLAYERS_FOLDER / runtime.RUNTIME_NAME
    folder.parent.mkdir()
    shutil.copytree(built, folder)
    shutil.rmtree(built)
    return folder


@pytest.fixture(scope="session")
def packaged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The addon's zip."""
    try:
        return package.package(tmp_path_factory.mktemp("package"))
    except runtime.RuntimeBuildError as error:
        pytest.skip(str(error))


@pytest.fixture
def elsewhere(tmp_path: Path) -> Elsewhere:
    """Runs programs where the development environment is out of reach."""
    if not namespaces_allowed():
        pytest.skip("mount namespaces are not allowed here (`unshare --mount`), so the development tree can't be hidden")
    home = tmp_path / "home"
    home.mkdir()
    return Elsewhere(home)

"""What of Python, numpy and the project goes into the shipped runtime. Tables only; `runtime.py` acts on them.

A module that is not here is an `ImportError` in a shipped game. What is left out is left out for one of three reasons: it is a
development tool, it needs something a game's folder should not carry (OpenSSL, Tk, a database), or it is large and of no use
without a terminal or a network.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Top-level names of the standard library that are left out.
STANDARD_LIBRARY_LEFT_OUT = _words(
    """
    __phello__ _aix_support _bootsubprocess _osx_support _pyrepl _sysconfigdata aifc antigravity asynchat asyncio asyncore bdb
    cProfile cgi cgitb chunk cmd code codeop compileall crypt curses dbm distutils doctest ensurepip ftplib getpass
    http idlelib imaplib
    imghdr lib2to3 mailbox mailcap msilib multiprocessing netrc nntplib nturl2path pdb pipes poplib profile pstats pty
    py_compile pyclbr pydoc pydoc_data site-packages dist-packages sitecustomize smtpd smtplib sndhdr socketserver sqlite3 ssl
    sunau symtable tabnanny telnetlib test this tkinter trace tty turtle turtledemo unittest usercustomize uu venv wave
    webbrowser wsgiref xdrlib xml xmlrpc zipapp
    """
)

# Extension modules that are shipped (where the interpreter has them as files; many builds have some of them inside).
EXTENSION_MODULES = _words(
    """
    _bisect _blake2 _contextvars _csv _ctypes _datetime _heapq _json _md5 _opcode _pickle _posixsubprocess _queue _random _sha1
    _sha2 _sha256 _sha3 _sha512 _socket _statistics _struct _typing _zoneinfo array binascii cmath fcntl grp math mmap resource
    select termios unicodedata zlib
    """
)

# Codecs that are shipped: Unicode, and what zip files and Western text files use.
ENCODINGS = _words(
    """
    __init__ aliases ascii charmap cp1252 cp437 idna latin_1 mbcs punycode raw_unicode_escape undefined unicode_escape utf_16
    utf_16_be utf_16_le utf_32 utf_32_be utf_32_le utf_7 utf_8 utf_8_sig zlib_codec hex_codec base64_codec
    """
)

# Folders of numpy that are left out, wherever they stand.
NUMPY_FOLDERS_LEFT_OUT = frozenset(
    {"__pycache__", "_examples", "_pyinstaller", "distutils", "doc", "f2py", "include", "pkgconfig", "src", "testing", "tests"}
)

# Files of numpy that are left out: test helpers, and the parts that need LAPACK.
NUMPY_MODULES_LEFT_OUT = _words(
    """
    _configtool _multiarray_tests _operand_flag_tests _rational_tests _simd _struct_ufunc_tests _umath_linalg _umath_tests
    conftest lapack_lite
    """
)

# Modules of numpy that only give its compiled functions their docstrings: a tenth of the import time, of no use in a game.
NUMPY_DOCUMENTATION_MODULES = ("_core/_add_newdocs.py", "_core/_add_newdocs_scalars.py")

# Stands in for numpy's LAPACK module, so that `import numpy` works and only a call that needs LAPACK fails, in words.
NUMPY_LINALG_STAND_IN = '''"""Stands in for numpy's LAPACK module, which this Python runtime leaves out."""

_ilp64 = False


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    raise NotImplementedError(
        f"numpy.linalg needs LAPACK ({name}), which the pynav runtime leaves out to stay small. Products (@, dot, einsum) work. "
        "Compute this before the game ships, or write the small case by hand."
    )
'''

# Libraries that every desktop Linux has: the C library's own, and the compiler's run time, which Godot needs too.
SYSTEM_LIBRARIES = (
    "ld-linux-x86-64.so.2",
    "libc.so.6",
    "libdl.so.2",
    "libgcc_s.so.1",
    "libm.so.6",
    "libpthread.so.0",
    "librt.so.1",
    "libstdc++.so.6",
    "libutil.so.1",
)

# Folders of the project's own packages that never ship: built for the engine, build steps and C sources, caches.
PROJECT_LEFT_OUT = frozenset({"__pycache__", "bin", "icons", "native", "objects"})

# Modules that need numba or a compiler: a game's kernels come from the library beside them.
PROJECT_MODULES_LEFT_OUT = frozenset({"pynav/kernels/build.py", "pynav/kernels/lane_code.py", "pynav/kernels/numba_compiler.py"})

# What lies among the project's Python modules for the engine, for C and for readers.
ENGINE_SUFFIXES = (".c", ".gd", ".gdextension", ".h", ".import", ".md", ".png", ".pyi", ".svg", ".tscn", ".typed", ".uid")

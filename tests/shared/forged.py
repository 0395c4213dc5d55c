"""Checkpoints with other contents and a right hash, as somebody's hand or damaged memory would leave them."""
import ctypes
import ctypes.util
from pathlib import Path

import h5py
import numpy as np

HEADER, BLOCK = 512, 1 << 20  # bytes; io/checkpoint/checkpoint_header.hpp


def library():
    """xxHash, or None where it is no shared library."""
    for name in (ctypes.util.find_library("xxhash"), "libxxhash.so.0"):
        try:
            found = ctypes.CDLL(name) if name else None
        except OSError:
            continue
        if found:
            found.XXH3_64bits_withSeed.restype = ctypes.c_uint64
            found.XXH3_64bits_withSeed.argtypes = (ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint64)
            return found
    return None


XXHASH = library()


def forge(path, change):
    """change(file) may do anything to the HDF5 file; size and hash of the header are made right afterwards."""
    path = Path(path)
    with h5py.File(path, "r+") as file:
        change(file)
    payload = path.read_bytes()[HEADER:]
    blocks = [payload[at:at + BLOCK] for at in range(0, len(payload), BLOCK)]
    value = sum(XXHASH.XXH3_64bits_withSeed(block, len(block), k) for k, block in enumerate(blocks)) % 2**64
    text = f"mesowarp checkpoint\nversion 2\npayload {len(payload):020}\nxxh3-64 of blocks {value:016x}\n"
    path.write_bytes(text.encode().ljust(HEADER - 1) + b"\n" + payload)


def set_word(file, name, number, value, kind="<u4"):
    """The word of this number in an array, counted from its first row."""
    data = file[f"arrays/{name}"]
    words = data[()].reshape(-1).view(kind)
    words[number] = value
    data[...] = words.view(data.dtype).reshape(data.shape)


def words_of(file, name, kind="<u4"):
    return file[f"arrays/{name}"][()].reshape(-1).view(kind)


def set_text(file, name, text):
    del file[f"texts/{name}"]
    file[f"texts/{name}"] = np.frombuffer(text if isinstance(text, bytes) else text.encode(), dtype=np.uint8)

"""Loops of the CPU that are to be vectors are: read off their machine code, for AVX2 and for AVX-512, whatever this
machine has.

tests/CMakeLists.txt compiles *_loops*.cpp of this folder for both (MESOWARP_VECTOR_LOOPS_<unit>: the object files).
Each loop is a function there. Its arithmetic instructions are counted: on packed numbers in whole registers, on packed
numbers in narrower ones, and on single numbers. A loop that the compiler left scalar has hardly any of the first kind.
"""

import collections
import os
import re
import subprocess
import sys
import unittest

FLOAT = re.compile(r"v?(?:add|sub|mul|div|sqrt|max|min|fn?m(?:add|sub)\d{3})([ps])[sd]$")
INTEGER = re.compile(r"v?p(?:add|sub|mull|mullud|xor|and|or|sll|srl|sra|ternlog|minu|maxu)[a-z]*$")
CONVERSION = re.compile(r"vcvt(?:ps|dq)2pd$")  # GCC 12 makes two of each and joins them, unless told by its instruction
WORD = re.compile(r"(?:xor|shl|shr|sar|imul|ror|rol)l?$")
STACKED = re.compile(r"%[xyz]mm.*\(%r[sb]p|\(%r[sb]p.*%[xyz]mm")  # a vector that is written to the stack, or read
WIDTH = {"x": 128, "y": 256, "z": 512}
UNITS = {"haswell": 256, "icelake-server": 512}
# Function, least number of packed instructions, most single ones for each packed one (None: lanes of a sum are added up
# one by one behind the loop), how wide the packed ones are at least (None: as the unit is), and what single ones are:
# of numbers, or of words. The loops over pairs and candidates call nothing, since what GCC leaves out of line passes
# its vectors through memory, and sums stay in registers: GCC 12 takes vectors apart that are wider than these.
LOOPS = [
    (r"PairLoop<.*>::evaluate\(int\)", 15, 0.02, None, "single"),
    (r"prepareBlock<", 100, 0.05, None, "word"),
    (r"firstGaussians", 25, 0.2, None, "word"),
    (r"RowsOfCells<unsigned (?:int|long)>::row\(", 8, 0.2, None, "single"),
    (r"RowsOfCells<unsigned (?:int|long)>::gatherNear\(", 10, 0.2, None, "single"),
    (r"CandidateRun<.*>::select<.*>\(", 8, 0.2, None, "single"),
    (r"sumEach<3, float", 3, None, 256, "single"),
    (r"sumEach<3, double", 3, None, None, "single"),
    (r"PieceTerms<\w+Sum<(?:float|double)> ?>::add<", 2, None, 256, "single"),
    (r"PairsBlock<.*>::add\(", 16, 0.02, None, "single"),
]


def functions(paths):
    """{name: Counter of packed widths (bits), "single", "word"} of all functions of the object files."""
    counted = {}
    for path in paths:
        text = subprocess.run(["objdump", "-d", "-C", "--no-show-raw-insn", path], capture_output=True, text=True,
                              check=True).stdout
        counts = None
        for line in text.splitlines():
            if head := re.match(r"[0-9a-f]+ <(.*)>:$", line):
                counts = counted.setdefault(head[1].replace("mesowarp::", "").replace("backend::", ""),
                                            collections.Counter())
            elif counts is not None and (code := re.match(r"\s+[0-9a-f]+:\s+(\S+)\s*(.*)", line)):
                count(code[1], code[2], counts)
    return counted


def count(name, operands, counts):
    if STACKED.search(operands):
        counts["stacked"] += 1
    number = FLOAT.match(name)
    if number and number[1] == "s":
        counts["single"] += 1
    elif number or INTEGER.match(name):
        counts[max(WIDTH[r] for r in re.findall(r"%([xyz])mm", operands))] += 1
    elif CONVERSION.match(name):
        counts["conversion", max(WIDTH[r] for r in re.findall(r"%([xyz])mm", operands))] += 1
    elif name.startswith("call"):
        counts["call"] += 1
    elif WORD.match(name) and len(set(operands.split(","))) > 1:  # not "xor %eax,%eax"
        counts["word"] += 1


class VectorLoops(unittest.TestCase):
    def check(self, unit):
        variable = "MESOWARP_VECTOR_LOOPS_" + unit
        paths = os.environ[variable].split(":")
        counted = functions(paths)
        pairs = 0
        for pattern, least, most, width, kind in LOOPS:
            found = {name: c for name, c in counted.items() if re.search(pattern, name)}
            self.assertTrue(found, f"{unit}: no function {pattern}")
            pairs += len(found) if "PairLoop" in pattern else 0
            for name, c in found.items():
                packed = sum(c[w] for w in WIDTH.values() if w >= (width or UNITS[unit]))
                with self.subTest(unit=unit, loop=name):
                    self.assertGreaterEqual(packed, least, f"{unit}: {dict(c)}")
                    if "PairLoop" in pattern:
                        halves = sum(n for what, n in c.items() if isinstance(what, tuple) and what[1] < UNITS[unit])
                        self.assertEqual(halves, 0, f"{unit}: conversions to half a register: {dict(c)}")
                    if re.search("PairBlock|CandidateRun|RowsOfCells", pattern):
                        self.assertEqual(c["call"], 0, f"{unit}: {dict(c)}")
                    if re.search("sumEach|PieceTerms", pattern):
                        self.assertEqual(c["stacked"], 0, f"{unit}: {dict(c)}")
                    if most is not None:
                        self.assertLessEqual(c[kind], most * packed, f"{unit}: {dict(c)}")
        # 5 forces and one of the tests that reads fields of its own. Several species, plain and observed: 3 precisions,
        # 2 accumulators; 4 accumulators more. One species, plain: 3 precisions, 2 accumulators.
        self.assertEqual(pairs, 6 * (2 * (3 * 2 + 4) + 3 * 2), "a variant of the pair loop is missing")

    def test_avx2(self):
        self.check("haswell")

    def test_avx512(self):
        self.check("icelake-server")


if __name__ == "__main__":
    if not any(name.startswith("MESOWARP_VECTOR_LOOPS_") for name in os.environ):
        print("skipped: this build (not for x86-64, for a GPU, or not optimised) has no vector loops to look at")
        sys.exit(77)
    unittest.main()

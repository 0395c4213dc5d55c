"""Loops of the CPU that are to be vectors are: read off their machine code, for AVX2 and for AVX-512, whatever this
machine has.

tests/CMakeLists.txt compiles *_loops*.cpp of this folder for both (MESOWARP_VECTOR_LOOPS_<unit>: the object files).
Each loop is a function there. Its arithmetic instructions are counted: on packed numbers in whole registers, on packed
numbers in narrower ones, and on single numbers. A loop that the compiler left scalar has hardly any of the first kind.
Which loops over pairs there have to be follows from the sources that list the program's pair forces.
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
# Lanes that are taken out of a vector, or put into it, one by one; and numbers that become integers so, as look-ups
# that are no gathers do it, or are made of integers.
LANE = re.compile(r"v?p(?:insr|extr)[bwdq]$|v?(?:insert|extract)ps$|v?cvtt?s[sd]2u?si[lq]?$|v?cvtu?si2s[sd][lq]?$")
CODE = re.compile(r"\s+([0-9a-f]+):\s+(\S+)\s*(.*)")
WIDTH = {"x": 128, "y": 256, "z": 512}
UNITS = {"haswell": 256, "icelake-server": 512}
# Function, least number of packed instructions, most single ones for each packed one (None: lanes of a sum are added up
# one by one behind the loop), how wide the packed ones are at least (None: as the unit is), what single ones are: of
# numbers, or of words, and how many vectors go by way of the stack for each packed instruction (None: not looked at).
# The loops over pairs and candidates call nothing, not even memset, since what GCC leaves out of line passes its
# vectors through memory, and sums stay in registers: GCC 12 takes vectors apart that are wider than these. A loop over
# pairs has more numbers than AVX2 has registers, most where a dozen solutes are exchanged.
LOOPS = [
    (r"PairLoop<.*(?:FluxForce|TransportForce)<.*>::evaluate\(int\)", 15, 0.02, None, "single", 1.5),
    (r"PairLoop<.*>::evaluate\(int\)", 15, 0.02, None, "single", 0.8),
    (r"TermBlocks<.*>::evaluate\(", 25, 0.15, None, "single", None),
    (r"prepareBlock<", 100, 0.05, None, "word", None),
    (r"TagDraws::TagDraws\(.*\)$", 25, 0.2, None, "word", None),
    (r"drawInALoop<", 25, 0.7, 256, "word", None),  # for GCC; with what is left of the loop, one by one
    (r"RowsOfCells<unsigned (?:int|long)>::row\(", 8, 0.2, None, "single", None),
    (r"RowsOfCells<unsigned (?:int|long)>::gatherNear\(", 10, 0.2, None, "single", None),
    (r"CandidateRun<.*>::select<.*>\(", 8, 0.2, None, "single", None),
    (r"fetchPairs<.*SinglePrecision", 3, 0.2, None, "single", None),
    (r"fetchPairs<.*DoublePrecision", 4, 0.2, 256, "single", None),  # a record is 256 bits, and most is shuffles
    (r"sumEach<3, float", 3, None, 256, "single", 0),
    (r"sumEach<3, double", 3, None, None, "single", 0),
    (r"PieceTerms<\w+Sum<(?:float|double)> ?>::add<", 2, None, 256, "single", 0),
    (r"PairsBlock<.*>::add\(", 16, 0.02, None, "single", None),
    (r"BrickGroup<.*>::findCells\(", 15, 0.2, 256, "word", None),
    (r"BrickGroup<.*>::collide\(", 3, 0.1, 256, "single", None),
    (r"BrickGroup<.*>::move\(", 20, 0.1, 256, "single", None),
    (r"BrickGroup<.*>::arrive\(", 40, 0.1, 256, "single", None),
    (r"SolventPass<.*>::addApart<", 100, 0.1, 256, "single", None),
    (r"SolventPass<.*>::addToAll<", 15, 2, 256, "single", None),  # with a loop for arrays that overlap
    (r"SolventPass<.*>::kickBy<", 15, 0.2, 256, "single", None),
    (r"RecordGroup<.*>::make\(", 30, 0.1, 256, "single", None),
]
# Loops over pairs of each force of a source. Of the list of all: several species, plain and observed, 3 precisions, 2
# accumulators, 4 accumulators more; one species, plain, 3 precisions, 2 accumulators. Of forces apart those with the
# usual accumulators alone, and of one species only what may end a step (TransportForce).
PHYSICS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "physics")
SOURCES = {"fluid/pair_forces.hpp": 26, "fluid/apart/conservative.hpp": 12, "fluid/apart/transport.hpp": 12}
ONE_SPECIES = {"TransportForce": 6}
OF_TESTS = {"test::ExchangeForce<Real, Math>": 26}  # reads and sums fields of its own
# Gathers of a loop for several species, the coefficients' beside: what a table, or a field of its own, needs at least.
GATHERS = {"TableForce": 8, "BetweenMolecules": 4, "ManyBodyForce": 4, "RandomFlux": 12, "FluxForce": 36,
           "TransportForce": 6}


def functions(paths):
    """{name: Counter of packed widths (bits), "single", "word" and more} of all functions of the object files; of loops
    over pairs what is in the loop, and calls."""
    counted = {}
    for path in paths:
        text = subprocess.run(["objdump", "-d", "-C", "--no-show-raw-insn", path], capture_output=True, text=True,
                              check=True).stdout
        for body in re.split(r"\n(?=[0-9a-f]+ <.*>:\n)", text)[1:]:
            head, *lines = body.splitlines()
            name = head.split(" <", 1)[1][:-2].replace("mesowarp::", "").replace("backend::", "")
            counts = counted.setdefault(name, collections.Counter())
            code = [(int(m[1], 16), m[2], m[3]) for line in lines if (m := CODE.match(line))]
            loops = loops_of(code) if name.startswith("PairLoop<") else None
            for at, instruction, operands in code:
                if loops is None or instruction.startswith("call") or any(first <= at <= last for first, last in loops):
                    count(instruction, operands, counts)
    return counted


def loops_of(code):
    """(first, last) address of what jumps back."""
    jumps = [(int(m[1], 16), at) for at, name, operands in code
             if name.startswith("j") and (m := re.match(r"([0-9a-f]+) <", operands))]
    return [(target, at) for target, at in jumps if target <= at]


def count(name, operands, counts):
    if LANE.match(name):
        counts["lane"] += 1
    elif "gather" in name:
        counts["gather"] += 1
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


def pair_loops():
    """{force: how many loops it has}, of the sources."""
    expected = dict(OF_TESTS)
    for source, loops in SOURCES.items():
        with open(os.path.join(PHYSICS, source), encoding="utf-8") as text:
            for force in re.findall(r"addPairPhases<P, (.*), Sum>", text.read()):
                name = force.replace("transport::", "")
                if name != "Force<typename P::Real, Math>":  # a force of another source
                    expected[name] = loops + ONE_SPECIES.get(name.split("<")[0], 0)
    return expected


def force_of(loop):
    """The force of a PairLoop's name, as the sources write it."""
    kernel = re.sub(r"transport::|\b(?=math::)", "", loop)
    kernel = re.sub(r"math::\w+", "Math", kernel.replace("> >", ">>"))
    return re.sub(r"\b(?:float|double)\b", "Real", re.search(r"Kernel<\w+, (.*>), \w+<(?:float|double)>, ", kernel)[1])


class VectorLoops(unittest.TestCase):
    def check(self, unit):
        counted = functions(os.environ["MESOWARP_VECTOR_LOOPS_" + unit].split(":"))
        seen = set()
        for pattern, *limits in LOOPS:
            found = {name: c for name, c in counted.items() if re.search(pattern, name) and name not in seen}
            self.assertTrue(found, f"{unit}: no function {pattern}")
            seen.update(found)
            for name, c in found.items():
                with self.subTest(unit=unit, loop=name):
                    self.check_loop(unit, name, c, *limits)
        found = collections.Counter(force_of(name) for name in seen if name.startswith("PairLoop<"))
        self.assertEqual(found, pair_loops(), "the loops over pairs are not those of the program's forces")

    def check_loop(self, unit, name, c, least, most, width, kind, stacked):
        packed = sum(c[w] for w in WIDTH.values() if w >= (width or UNITS[unit]))
        self.assertGreaterEqual(packed, least, f"{unit}: {dict(c)}")
        if re.search("PairLoop<|CandidateRun<|RowsOfCells<|fetchPairs<", name):
            self.assertEqual(c["call"], 0, f"{unit}: {dict(c)}")
        if re.search("PairLoop<|fetchPairs<", name):
            self.assertEqual(c["lane"], 0, f"{unit}: lanes one by one: {dict(c)}")
        if stacked is not None:
            self.assertLessEqual(c["stacked"], stacked * packed, f"{unit}: {dict(c)}")
        if most is not None:
            self.assertLessEqual(c[kind], most * packed, f"{unit}: {dict(c)}")
        if name.startswith("PairLoop<"):
            halves = sum(n for what, n in c.items() if isinstance(what, tuple) and what[1] < UNITS[unit])
            self.assertEqual(halves, 0, f"{unit}: conversions to half a register: {dict(c)}")
            if "true>, " not in name:  # several species
                least = next((n for force, n in GATHERS.items() if force + "<" in name), 1)
                self.assertGreaterEqual(c["gather"], least, f"{unit}: look-ups that are no gathers: {dict(c)}")

    def test_avx2(self):
        self.check("haswell")

    def test_avx512(self):
        self.check("icelake-server")


if __name__ == "__main__":
    if not any(name.startswith("MESOWARP_VECTOR_LOOPS_") for name in os.environ):
        print("skipped: this build (not for x86-64, for a GPU, or not optimised) has no vector loops to look at")
        sys.exit(77)
    unittest.main()

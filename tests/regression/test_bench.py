"""mesowarp bench: valid JSON with sane numbers, and bad options refused. No timing is asserted."""
import json
import math
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from program import SOURCE, ProgramTest, mesowarp, mesowarp_on  # noqa: E402

def plot(*arguments, script="plot_speedup.py"):
    return subprocess.run([sys.executable, SOURCE / "perf/plots" / script, *map(str, arguments)], capture_output=True,
                          text=True, check=False)


def has_matplotlib():
    return subprocess.run([sys.executable, "-c", "import matplotlib"], capture_output=True, check=False).returncode == 0


class Bench(ProgramTest):
    def bench(self, *arguments):
        path = self.home / "bench.json"
        done = mesowarp("bench", *arguments, "--quick", "--json", path)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return json.loads(path.read_text(encoding="utf-8")), done.stdout

    def test_suite(self):
        result, screen = self.bench("suite", "--precision", "single,mixed,double", "--particles", 2000, "--steps", 40,
                                    "--equilibration", 200)
        self.assertEqual([case["precision"] for case in result["suite"]], ["single", "mixed", "double"])
        for case in result["suite"]:
            self.assertEqual(case["status"], "done")
            self.assertEqual((case["density"], case["cutoff"], case["particles"]), (3.0, 1.0, 2000))
            self.assertAlmostEqual(case["particle_steps_per_second"] * case["seconds"], 2000 * 40, delta=1.0)
            self.assertEqual(case["rebuilds"], 8)
            self.assertEqual(case["dangerous_builds"], 0)
            self.assertTrue(0.9 < case["temperature"] < 1.1, case["temperature"])
            self.assertTrue(22.5 < case["pressure"] < 25.0, case["pressure"])
            self.assertGreater(case["pressure_error"], 0.0)
            self.assertTrue(100 < case["memory_bytes_per_particle"] < 3000)
            self.assertTrue(0.0 < case["floor"]["fraction"] < 10.0)
            self.assertAlmostEqual(case["counted"]["neighbors_in_range"], 4 * math.pi, places=6)
        for key in ("version", "git", "backend", "kokkos", "threads", "hardware", "machine", "date"):
            self.assertTrue(result[key], key)
        self.assertGreater(result["machine"]["copy_bytes_per_second"], 0.0)
        self.assertIn("M p-st/s", screen)

    def test_suite_with_lists_by_displacement(self):
        result, _ = self.bench("suite", "--precision", "single", "--particles", 2000, "--steps", 40, "--equilibration",
                               40, "--rebuild", "displacement")
        [case] = result["suite"]
        self.assertEqual((case["status"], case["dangerous_builds"]), ("done", 0))
        self.assertTrue(3 <= case["rebuilds"] <= 20, case["rebuilds"])

    def test_rbc(self):
        result, screen = self.bench("rbc", "--precision", "single", "--steps", 4, "--equilibration", 0)
        rows = result["rbc"]
        self.assertEqual([(r["hematocrit"], r["volume"], r["cells"], r["particles"]) for r in rows],
                         [(0.07, 8192, 6, 35768), (0.35, 8192, 30, 47768)])  # Blumers et al. (2017), Table 1
        for row in rows:
            self.assertAlmostEqual(row["particle_steps_per_second"] * row["seconds"], row["particles"] * 4, delta=1.0)
            self.assertGreater(row["memory_bytes_per_particle"], 100)
        self.assertIn("M p-st/s", screen)

    def test_scaling_of_a_solvent(self):
        path = self.home / "scaling.json"
        done = mesowarp_on(2, "bench", "mpcd", "--quick", "--threads", 1, "--scaling", "weak", "--particles", 40960,
                           "--json", path)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        one, two = json.loads(path.read_text(encoding="utf-8"))["scaling"]
        self.assertEqual([(r["ranks"], r["particles"]) for r in (one, two)], [(1, 40960), (2, 81920)])
        self.assertAlmostEqual(two["efficiency"], two["steps_per_second"] / one["steps_per_second"], places=9)
        self.assertAlmostEqual(two["particle_steps_per_second"], 81920 * two["steps_per_second"], delta=1.0)

    def test_scaling_is_of_what_was_asked_for(self):
        for what, extra, particles in (("rbc", [], [35768, 71536, 47768, 95536]),  # Table 1, and its boxes twice
                                       ("tdpd", ["--cutoff", 1], [32768, 65536])):
            with self.subTest(what):
                path = self.home / f"scaling_{what}.json"
                done = mesowarp_on(2, "bench", what, *extra, "--quick", "--threads", 1, "--scaling", "weak",
                                   "--particles", 32768, "--steps", 2, "--equilibration", 0, "--json", path)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                rows = json.loads(path.read_text(encoding="utf-8"))["scaling"]
                self.assertEqual([r["particles"] for r in rows], particles)
                self.assertEqual([r["ranks"] for r in rows], [1, 2] * (len(particles) // 2))
        done = mesowarp_on(1, "bench", "nbody", "--scaling", "weak")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--scaling is of suite, tdpd, rbc and mpcd", done.stderr)

    def test_figures_of_a_solvent(self):
        result, _ = self.bench("mpcd", "--particles", 10000, "--precision", "single,double", "--steps", 4,
                               "--equilibration", 2)
        self.assertEqual([(r["rule"], r["precision"]) for r in result["mpcd"]],
                         [(rule, p) for rule in ("srd", "srd, thermostat", "andersen", "driven", "between plates")
                          for p in ("single", "double")])
        for row in result["mpcd"]:
            self.assertAlmostEqual(row["particle_steps_per_second"], row["particles"] * row["steps_per_second"],
                                   delta=1.0)
        for script in ("plot_collisions.py", "plot_polymer.py"):
            path = self.home / f"{script}.png"
            if has_matplotlib():
                done = plot(self.home / "bench.json", "-o", path, script=script)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(path.read_bytes()[:4], b"\x89PNG")
            self.assertEqual(plot(self.home / "none.json", script=script).returncode, 2)

    def test_nbody(self):
        result, screen = self.bench("nbody", "--particles", 600, "--precision", "single,double")
        table = [r for r in result["nbody"] if r["what"] == "table 1"]
        self.assertEqual([r["flops_an_interaction"] for r in table[::2]], [19, 42, 30, 30, 43])
        for record in table:
            self.assertEqual((record["status"], record["bodies"]), ("done", 600))
            self.assertAlmostEqual(record["interactions_per_second"] * record["median_s"], 600**2, delta=1)
            self.assertGreater(record["fraction_of_floor"], 0.0)
            if record["precision"] == "single":
                self.assertTrue(0.0 < record["median_force_error"] < 5e-6, record)
        self.assertEqual({r["i_a_thread"] for r in result["nbody"] if r["what"] == "figure 1"}, {1, 2, 4, 8})
        self.assertEqual({r["parts"] for r in result["nbody"] if r["what"] == "figure 2"}, {0, 1, 2, 4, 8, 16, 32})
        self.assertIn("GFLOPS", screen)

    def test_sums_err_as_in_the_paper(self):
        result, _ = self.bench("sums", "--particles", 1500)
        self.assertEqual(len(result["sums"]), 21)
        rows = {(r["system"], r["exclude"], r["method"][0]): r for r in result["sums"]}
        for (system, exclude, method), row in rows.items():
            where = (system, exclude, method)
            if method == "F":
                self.assertEqual(row["force_offset"], 0.0, where)
            if method in "BCF" and exclude != "afterwards":
                self.assertLess(row["force_error"], 1e-5, where)  # of positions rounded to floats
            if method == "G":
                self.assertLess(row["force_error"], 1e-6, where)
                self.assertGreater(row["force_offset"], 0.0, where)
        after = {m: rows["chains", "afterwards", m]["force_error"] for m in "ABCDEFG"}
        # What is subtracted again has swallowed A's digits; what B has left is of positions rounded to floats.
        self.assertGreater(after["A"], 10 * after["B"])
        self.assertLess(after["F"], 0.1 * after["A"])

    def test_sorts_give_the_same_fluid(self):
        fluids = []
        for style in ("counting", "radix", "library"):
            (self.home / "bench.json").unlink(missing_ok=True)
            result, _ = self.bench("suite", "--particles", 2000, "--steps", 20, "--equilibration", 20, "--sort", style)
            self.assertEqual(result["options"]["sort"], style)
            fluids.append((result["suite"][0]["temperature"], result["suite"][0]["pressure"]))
        self.assertEqual(len({f"{t:.9f} {p:.9f}" for t, p in fluids}), 1, fluids)

    def test_parts_with_and_without_reordering(self):
        result, _ = self.bench("parts", "--particles", 2000, "--equilibration", 20, "--reorder", "on,off")
        self.assertEqual(result["suite"], [])
        parts = {}
        for record in result["parts"]:
            parts.setdefault(record["part"], {})[record["variant"]] = record
        for name in ("random numbers", "math", "sort", "keys and sort", "reorder", "row builder", "pair force",
                     "steady step", "integration"):
            self.assertIn(name, parts)
        for record in result["parts"]:
            if record["status"] == "skipped":
                self.assertEqual(record["part"], "row builder")
                self.assertTrue(record["note"])
            else:
                self.assertTrue(0.0 < record["fastest_s"] <= record["median_s"] <= record["slowest_s"], record)
                self.assertGreater(record["items_per_second"], 0.0)
        self.assertEqual(parts["row builder"]["groups"]["status"], "done")
        styles = ("counting", "radix", "library")
        self.assertEqual(set(parts["sort"]),
                         {f"{style}, {keys} keys"
                          for style in styles
                          for keys in ("moved", "random")})
        for name in ("keys and sort", "reorder"):
            self.assertEqual(set(parts[name]), set(styles))
        for name in ("pair force", "steady step"):
            self.assertEqual(set(parts[name]), {"reorder on", "reorder off: shuffled"})
        self.plots(result)

    def test_accuracy_of_the_functions(self):
        result, _ = self.bench("parts", "--particles", 1000, "--equilibration", 0)
        error = {(r["variant"], r["precision"]): r["worst_error"] for r in result["parts"] if r["part"] == "math"}
        self.assertLess(error["log", "double"], 5e-12)
        self.assertLess(error["sine", "double"], 1.2e-10)
        self.assertLess(error["power", "double"], 11.0)

    def plots(self, result):
        if not has_matplotlib():
            return
        path = self.home / "bench.png"
        done = plot(self.home / "bench.json", "-o", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(path.read_bytes()[:4], b"\x89PNG")

    def test_speedup_figure(self):
        case = {"status": "done", "density": 3.0, "cutoff": 1.0, "precision": "mixed", "pair_noise": "tea"}
        for name, factor in (("cpu", 1.0), ("gpu", 20.0)):
            suite = [{**case, "particles": n, "particle_steps_per_second": factor * n} for n in (8192, 65536)]
            suite.append({**case, "status": "skipped", "density": 50.0, "particles": 8192})
            hardware = {"device": name, "gpu": name == "gpu"}
            text = json.dumps({"suite": suite, "parts": [], "threads": 2, "hardware": hardware})
            (self.home / f"{name}.json").write_text(text, encoding="utf-8")
        files = [self.home / "gpu.json", self.home / "cpu.json"]
        if has_matplotlib():
            done = plot(*files, "-o", self.home / "speedup.png")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("8192: 20  65536: 20", done.stdout)
        self.assertEqual(plot(files[0]).returncode, 2)  # no parts in it
        self.assertEqual(plot(self.home / "none.json").returncode, 2)
        self.assertEqual(plot("--help").returncode, 0)

    def test_bad_options(self):
        for text in ("fast", "--precision half", "--pair-noise white", "--skin 0", "--density -3", "--density three",
                     "--cutoff 0", "--particles 7", "--steps 0", "--rebuild every:0", "--rebuild often",
                     "--reorder maybe", "--sort quick", "--threads 0"):
            arguments = text.split()
            word = arguments[-1] if arguments[0] in ("fast", "--rebuild", "--reorder",
                                                     "--sort") else arguments[0].lstrip("-")
            done = mesowarp("bench", *arguments, "--quick")
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(word, done.stderr)
            self.assertEqual(done.stdout, "")

    def test_a_file_that_cannot_be_written_is_noticed_before_anything_runs(self):
        done = mesowarp("bench", "suite", "--quick", "--json", self.home / "no/such/folder/bench.json")
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertNotIn("DPD fluid", done.stdout)

    def test_a_case_that_cannot_be_is_skipped_with_its_reason(self):
        result, screen = self.bench("suite", "--particles", "100,1000", "--steps", 5, "--equilibration", 5, "--density",
                                    50)
        self.assertEqual([case["status"] for case in result["suite"]], ["skipped", "done"])
        self.assertIn("box edge", result["suite"][0]["reason"])
        self.assertIn("skipped: ", screen)


if __name__ == "__main__":
    unittest.main()

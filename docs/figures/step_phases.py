#!/usr/bin/env python3
"""Draws docs/figures/step_phases.svg: the phases of a step, as docs/architecture.md tells of them.

    docs/figures/step_phases.py
"""
from pathlib import Path

WIDTH, HEIGHT = 960, 640
# Okabe and Ito's colours, light: what the list of phases does, forces, the closing phase, what travels.
LIST, FORCE, CLOSING, TRAVEL, PLAIN = "#e6e6e6", "#cfe6f5", "#fbe3b5", "#cdebdd", "#ffffff"
drawn = []


def text(x, y, words, size=13, anchor="middle", weight="normal", colour="#222"):
    words = words.replace("&", "&amp;").replace("<", "&lt;")
    drawn.append(f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}" font-weight="{weight}" '
                 f'fill="{colour}">{words}</text>')


def box(x, y, width, height, lines, fill=PLAIN, dashed=False, thick=False):
    dash = ' stroke-dasharray="5 4"' if dashed else ""
    drawn.append(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="5" fill="{fill}" stroke="#444" '
                 f'stroke-width="{2.5 if thick else 1.2}"{dash}/>')
    first = y + height / 2 - 8 * (len(lines) - 1) + 4.5
    for k, line in enumerate(lines):
        text(x + width / 2, first + 16 * k, line)


def line(*points, arrow=True, dashed=False, colour="#444"):
    way = " ".join(f"{x},{y}" for x, y in points)
    end = ' marker-end="url(#tip)"' if arrow else ""
    dash = ' stroke-dasharray="4 4"' if dashed else ""
    drawn.append(f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="1.4"{dash}{end}/>')


def row(y, height, boxes, gap=22, x=30):
    """Boxes (width, lines, fill) from left to right with arrows between; where each begins and ends."""
    places = []
    for k, (width, lines, fill) in enumerate(boxes):
        if k:
            line((x - gap, y + height / 2), (x - 2, y + height / 2))
        box(x, y, width, height, lines, fill)
        places.append((x, x + width))
        x += width + gap
    return places


def one_step():
    text(30, 28, "One step: Simulation::timestep", 15, "start", "bold")
    places = row(42, 46, [(150, ["rebuild if due"], TRAVEL), (150, ["copy the state, if a", "checkpoint is due"], LIST),
                          (130, ["advance"], FORCE), (130, ["look for failures"], LIST), (110, ["record"], LIST),
                          (118, ["write checkpoint"], LIST)])
    begin, end = places[2]
    line((begin, 88), (30, 120), arrow=False, dashed=True)
    line((end, 88), (930, 120), arrow=False, dashed=True)


def phases():
    box(20, 120, 920, 312, [])
    text(34, 143, "advance: the phases that are due, in their order; each works on one population", 15, "start", "bold")
    text(34, 176, "particles in a box", 13, "start", colour="#555")
    row(186, 46, [(150, ["bonds", "(writes force)"], FORCE), (150, ["pair force", "(adds to force)"], FORCE)], x=34)
    line((356, 209), (376, 209))
    box(378, 160, 382, 98, [], CLOSING, thick=True)
    text(569, 178, "closing phase, the usual way: one kernel", 13, weight="bold")
    for k, (width, lines) in enumerate([(112, ["last pair force", "of step k"]), (112, ["close step k:", "half-kick"]),
                                        (122, ["open step k+1:", "half-kick, drift"])]):
        box([388, 508, 628][k], 190, width, 58, lines, PLAIN)
    text(378, 286, "the same taken apart, in a step in which a phase between the two is due", 13, "start", colour="#555")
    places = row(296, 50, [(126, ["last pair force", "of step k"], CLOSING), (106, ["close step k"], CLOSING),
                           (130, ["what stands", "between"], FORCE), (126, ["open step k+1"], CLOSING)], gap=20, x=378)
    assert places[-1][1] < 940
    text(34, 370, "bodies", 13, "start", colour="#555")
    row(380, 40, [(290, ["forces of all pairs, integration"], FORCE)], x=34)
    line((366, 209), (366, 321), (376, 321), dashed=True)
    text(360, 270, "or", 13, "end", colour="#555")
    box(378, 380, 546, 40, ["behind the last phase: buffers of fields that are written anew change places"], LIST)


def streams():
    y = 448
    text(30, y + 20, "The last kernel of a step and the ghosts, on several ranks", 15, "start", "bold")
    text(30, y + 62, "main stream", 13, "start", colour="#555")
    text(30, y + 140, "side stream", 13, "start", colour="#555")
    box(130, y + 34, 140, 46, ["blocks at the border"], CLOSING)
    box(270, y + 34, 330, 46, ["blocks of the interior"], CLOSING)
    box(668, y + 34, 256, 46, ["next step: first phase", "that reads ghosts"], FORCE)
    box(300, y + 112, 90, 46, ["pack"], TRAVEL)
    box(412, y + 112, 110, 46, ["on their way"], TRAVEL, dashed=True)
    box(544, y + 112, 90, 46, ["unpack"], TRAVEL)
    line((270, y + 80), (270, y + 135), (298, y + 135))
    text(262, y + 104, "gate", 12, "end", colour="#555")
    line((390, y + 135), (410, y + 135))
    line((522, y + 135), (542, y + 135))
    line((634, y + 135), (720, y + 135), (720, y + 82))
    text(728, y + 112, "fresh ghosts", 12, "start", colour="#555")
    line((600, y + 57), (666, y + 57))


def main():
    one_step()
    phases()
    streams()
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
            'font-family="DejaVu Sans, Helvetica, Arial, sans-serif">\n'
            '<defs><marker id="tip" markerWidth="9" markerHeight="8" refX="7" refY="4" orient="auto">'
            '<path d="M0,0 L9,4 L0,8 z" fill="#444"/></marker></defs>\n'
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>\n')
    (Path(__file__).resolve().parent / "step_phases.svg").write_text(head + "\n".join(drawn) + "\n</svg>\n", encoding="utf-8")


if __name__ == "__main__":
    main()

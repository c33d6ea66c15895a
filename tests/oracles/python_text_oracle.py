"""Writes tests/data/grade/python_text.txt: what Python's str.lower() and str.strip() do to every character.

Lines: "lower CODE CODES…" for each character that lower() changes; "space CODE" for each that strip() removes; "cased CODE" and
"ignorable CODE" for each that decides the form of a sigma beside it; "unassigned CODE" for those
that this Unicode version does not know. Codes are hexadecimal; ranges of equal kind are FIRST-LAST.
Usage: python_text_oracle.py > tests/data/grade/python_text.txt
"""

import sys
import unicodedata


def ranges(name, codes):
    start = None
    previous = None
    for code in codes + [None]:
        if previous is not None and code == previous + 1:
            previous = code
            continue
        if start is not None:
            print(f"{name} {start:x}-{previous:x}")
        start = previous = code


def main():
    print(f"# Unicode {unicodedata.unidata_version}; made by tests/oracles/python_text_oracle.py")
    every = [code for code in range(sys.maxunicode + 1) if not 0xD800 <= code <= 0xDFFF]
    for code in every:
        lowered = chr(code).lower()
        if lowered != chr(code):
            print("lower", f"{code:x}", *(f"{ord(character):x}" for character in lowered))
    ranges("space", [code for code in every if not chr(code).strip()])
    small, final = "\u03c3", "\u03c2"
    cased = []
    ignorable = []
    for code in every:
        if unicodedata.category(chr(code)) == "Cn":
            continue
        behind = ("a\u03a3" + chr(code)).lower()[1]
        beyond = ("a\u03a3" + chr(code) + "a").lower()[1]
        if behind == small:
            cased.append(code)
        elif beyond == small:
            ignorable.append(code)
        else:
            assert behind == beyond == final
    ranges("unassigned", [code for code in every if unicodedata.category(chr(code)) == "Cn"])
    ranges("cased", cased)
    ranges("ignorable", ignorable)


main()

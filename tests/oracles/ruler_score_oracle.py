"""Writes tests/data/grade/ruler_cases.jsonl: answers with the scores that RULER's rules give them.

Own code from the description of the rules: strip; every character 0x00..0x1f becomes a newline; strip. "all": the share of the
references that occur in the answer, case ignored; "part": 1 if any occurs, else 0. Task score: mean times 100, rounded to two
digits; nulls: answers that are empty afterwards. Usage: ruler_score_oracle.py > tests/data/grade/ruler_cases.jsonl
"""

import json
import random
import sys

METRICS = {"all": "string_match_all", "part": "string_match_part"}


def post_process(answer):
    answer = answer.strip()
    answer = "".join("\n" if ord(character) < 0x20 else character for character in answer)
    return answer.strip()


def found(answer, reference):
    return reference.lower() in post_process(answer).lower()


def score_all(answer, references):
    return sum([1.0 if found(answer, reference) else 0.0 for reference in references]) / len(references)


def score_part(answer, references):
    return max([1.0 if found(answer, reference) else 0.0 for reference in references])


# (name, answer, references): each is scored by both metrics.
CASES = [
    ("exact", "1234567", ["1234567"]),
    ("inside a sentence", "The number is 1234567.", ["1234567"]),
    ("absent", "I do not know", ["1234567"]),
    ("empty answer", "", ["1234567"]),
    ("only spaces", "   ", ["1234567"]),
    ("only control characters", "\x00\x01\x1f", ["1234567"]),
    ("only newlines", "\n\n\r\n", ["a"]),
    ("only no-break space", "\u00a0", ["a"]),
    ("only ideographic space", "\u3000\u3000", ["a"]),
    ("only zero-width space is not empty", "\u200b", ["a"]),
    ("only byte order mark is not empty", "\ufeff", ["a"]),
    ("only DEL is not empty", "\x7f", ["a"]),
    ("only next line", "\x85", ["a"]),
    ("only line separator", "\u2028", ["a"]),
    ("only paragraph separator", "\u2029", ["a"]),
    ("only file separators", "\x1c\x1d\x1e\x1f", ["a"]),
    ("only Ogham space", "\u1680", ["a"]),
    ("only Mongolian vowel separator is not empty", "\u180e", ["a"]),
    ("control inside spaces", " \x00 \x07 ", ["a"]),
    ("control then text", "\x00 text", ["text"]),
    ("space uncovered by control", "\x01 \x02", [" "]),
    ("one of four", "11", ["11", "22", "33", "44"]),
    ("two of four", "11 and 22", ["11", "22", "33", "44"]),
    ("three of four", "11, 22, 33", ["11", "22", "33", "44"]),
    ("four of four", "44 33 22 11", ["11", "22", "33", "44"]),
    ("none of four", "55", ["11", "22", "33", "44"]),
    ("one of three", "b", ["a1", "b", "c1"]),
    ("two of three", "a1 b", ["a1", "b", "c1"]),
    ("one of seven", "g", ["a1", "b1", "c1", "d1", "e1", "f1", "g"]),
    ("ten of ten", "1. ad 2. be 3. ce 4. de 5. ee 6. fe 7. ge 8. he 9. ie 10. je",
     ["ad", "be", "ce", "de", "ee", "fe", "ge", "he", "ie", "je"]),
    ("three of ten", "ad be ce", ["ad", "be", "ce", "dx", "ex", "fx", "gx", "hx", "ix", "jx"]),
    ("duplicates in the answer", "11 11 11", ["11", "22"]),
    ("duplicates in the references", "11", ["11", "11", "22"]),
    ("all duplicates", "11", ["11", "11", "11"]),
    ("reference inside a longer word", "another", ["no"]),
    ("reference inside a longer number", "123456789", ["345"]),
    ("yes inside eyes", "my eyes", ["yes"]),
    ("reference longer than answer", "12345", ["1234567"]),
    ("overlapping references", "abcd", ["abc", "bcd"]),
    ("one reference inside another", "marmalade", ["arm", "marmalade"]),
    ("only the shorter one", "arm", ["arm", "marmalade"]),
    ("case of the answer", "PARIS", ["paris"]),
    ("case of the reference", "paris", ["PARIS"]),
    ("mixed case", "pArIs", ["PaRiS"]),
    ("title case", "The Quick Brown Fox", ["quick brown"]),
    ("empty reference is always there", "x", [""]),
    ("empty reference in an empty answer", "", [""]),
    ("empty among others", "x", ["", "y"]),
    ("space reference", "a b", [" "]),
    ("space reference stripped away", " a ", [" "]),
    ("reference with leading space", "x y", [" y"]),
    ("reference with leading space at the start", " y", [" y"]),
    ("newline reference from a tab", "a\tb", ["a\nb"]),
    ("tab reference never matches", "a\tb", ["a\tb"]),
    ("carriage return becomes newline", "a\r\nb", ["a\n\nb"]),
    ("bell becomes newline", "a\x07b", ["a\nb"]),
    ("escape becomes newline", "\x1b[31m1234567\x1b[0m", ["1234567"]),
    ("null byte splits a number", "123\x004567", ["1234567"]),
    ("null byte becomes newline", "123\x004567", ["123\n4567"]),
    ("DEL stays", "12\x7f34", ["12\x7f34"]),
    ("C1 control stays", "12\x9034", ["12\x9034"]),
    ("unit separator inside", "a\x1fb", ["a\nb"]),
    ("vertical tab", "a\x0bb", ["a\nb"]),
    ("form feed", "a\x0cb", ["a\nb"]),
    ("number with thousands separators", "1,234,567", ["1234567"]),
    ("number with spaces", "1 234 567", ["1234567"]),
    ("full-width digits", "１２３", ["123"]),
    ("minus sign", "-42", ["42"]),
    ("uuid", "the id is 550e8400-e29b-41d4-a716-446655440000", ["550E8400-E29B-41D4-A716-446655440000"]),
    ("uuid without hyphens", "550e8400e29b41d4a716446655440000", ["550e8400-e29b-41d4-a716-446655440000"]),
    ("hyphen against en dash", "well\u2013known", ["well-known"]),
    ("quotes curly against straight", "it\u2019s", ["it's"]),
    ("accents matter", "Cafe", ["Café"]),
    ("accents with case", "CAFÉ", ["café"]),
    ("composed against decomposed", "caf\u00e9", ["cafe\u0301"]),
    ("decomposed both", "CAFE\u0301", ["cafe\u0301"]),
    ("sharp s stays", "STRASSE", ["straße"]),
    ("capital sharp s", "STRAẞE", ["straße"]),
    ("dotted capital I", "İSTANBUL", ["istanbul"]),
    ("dotted capital I against itself", "İstanbul", ["İSTANBUL"]),
    ("dotted capital I gives two characters", "İ", ["i\u0307"]),
    ("dotless i stays", "ISPARTA", ["ısparta"]),
    ("final sigma", "ΟΔΥΣΣΕΥΣ", ["οδυσσευς"]),
    ("final sigma in a sentence", "ΟΔΥΣΣΕΥΣ ΚΑΙ", ["οδυσσευς και"]),
    ("final sigma against non-final", "ΟΔΥΣΣΕΥΣ", ["οδυσσευσ"]),
    ("sigma alone is not final", "Σ", ["σ"]),
    ("sigma alone against final", "Σ", ["ς"]),
    ("reference ends in sigma, answer goes on", "ΣΟΦΟΣΑ", ["ΣΟΦΟΣ"]),
    ("reference ends in sigma, answer ends too", "ΣΟΦΟΣ", ["ΣΟΦΟΣ"]),
    ("reference ends in sigma, answer has a full stop", "ΣΟΦΟΣ.", ["ΣΟΦΟΣ"]),
    ("sigma before an apostrophe and a letter", "ΑΣ'Α", ["ας'α", "ασ'α"]),
    ("sigma after an apostrophe", "'Σ", ["'σ", "'ς"]),
    ("sigma after a digit", "1Σ", ["1σ", "1ς"]),
    ("sigma with accents behind", "ΑΣ\u0301", ["ας\u0301", "ασ\u0301"]),
    ("sigma before a newline and a letter", "ΑΣ\nΑ", ["ας\nα", "ασ\nα"]),
    ("sigma before a soft hyphen", "ΑΣ\u00adΑ", ["ασ\u00adα", "ας\u00adα"]),
    ("sigma after a circled letter", "ⒶΣ", ["ⓐς", "ⓐσ"]),
    ("sigma before a superscript letter", "ΑΣᵃ", ["ασᵃ", "αςᵃ"]),
    ("sigma after a Roman numeral", "ⅧΣ", ["ⅷς", "ⅷσ"]),
    ("small sigma stays", "σας", ["ΣΑΣ"]),
    ("Cyrillic", "МОСКВА", ["москва"]),
    ("Armenian", "ԵՐԵՎԱՆ", ["երևան", "երեվան"]),
    ("Georgian capitals", "ᲗᲑᲘᲚᲘᲡᲘ", ["თბილისი"]),
    ("Cherokee", "ᏣᎳᎩ", ["ꮳꮃꭹ"]),
    ("Deseret", "𐐀𐐁", ["𐐨𐐩"]),
    ("Adlam", "𞤀", ["𞤢"]),
    ("Kelvin sign", "300 \u212a", ["300 k"]),
    ("Angstrom sign", "\u212b", ["å"]),
    ("Ohm sign", "\u2126", ["ω"]),
    ("title case digraph", "ǅ", ["ǆ"]),
    ("ligature is not split", "ﬁsh", ["fish"]),
    ("full-width letters", "ＡＢＣ", ["ａｂｃ"]),
    ("Chinese", "答案是北京。", ["北京"]),
    ("Japanese", "答えは東京です", ["東京"]),
    ("Korean", "서울입니다", ["서울"]),
    ("Arabic", "الجواب هو القاهرة", ["القاهرة"]),
    ("Hindi", "उत्तर दिल्ली है", ["दिल्ली"]),
    ("Thai", "กรุงเทพมหานคร", ["กรุงเทพ"]),
    ("Hebrew", "ירושלים", ["ירושלים"]),
    ("emoji", "🔑 is 42", ["🔑", "42"]),
    ("part of a flag", "🇩🇪", ["🇩"]),
    ("emoji with joiner", "👩‍🚀", ["🚀"]),
    ("surrogate half of nothing", "\U0010ffff", ["\U0010ffff"]),
    ("zero-width joiner inside a number", "123\u200d4567", ["1234567"]),
    ("no-break space inside", "New\u00a0York", ["New York"]),
    ("line separator inside stays", "a\u2028b", ["a\u2028b"]),
    ("line separator at the end goes", "a\u2028", ["a\u2028"]),
    ("next line inside stays", "a\x85b", ["a\x85b", "a\nb"]),
    ("combining mark first", "\u0301abc", ["abc"]),
    ("replacement character", "a\ufffdb", ["a\ufffdb"]),
    ("HTML", "<b>1234567</b>", ["1234567"]),
    ("script", "<script>alert(1)</script>", ["alert"]),
    ("JSON", '{"answer": "1234567"}', ["1234567"]),
    ("markdown", "**1234567**", ["1234567"]),
    ("thinking is not removed", "<think>1234567</think> no idea", ["1234567"]),
    ("prompt echo counts", "The special number is 1234567. What is it?", ["1234567"]),
    ("denial still counts", "It is not 1234567", ["1234567"]),
    ("list of everything", " ".join(str(n) for n in range(1000, 1100)), ["1050", "1099", "1100"]),
    ("numbered list", "1. apple\n2. pear\n3. plum", ["apple", "pear", "fig"]),
    ("variables", "ABCDE, FGHIJ, KLMNO", ["ABCDE", "FGHIJ", "KLMNO", "PQRST", "UVWXY"]),
    ("variables in lower case", "abcde fghij", ["ABCDE", "FGHIJ"]),
    ("words with a space", "ad hoc and per se", ["ad hoc", "per se"]),
    ("words with a hyphen", "self-made", ["self-made", "made"]),
    ("squad answers", "in the 10th century", ["10th", "the 10th century", "in the tenth century"]),
    ("squad duplicates", "France", ["France", "France", "France", "France"]),
    ("hotpot yes", "Yes, both are", ["yes"]),
    ("hotpot no inside know", "I know", ["no"]),
    ("answer in quotes", '"Paris"', ["Paris"]),
    ("backslashes", "C:\\temp", ["c:\\TEMP"]),
    ("percent and braces", "{0} %s", ["%S"]),
    ("regex characters are plain", "a.c", ["abc", "a.c"]),
    ("star is plain", "aaa", ["a*"]),
    ("spaces are not collapsed", "New  York", ["New York"]),
    ("trailing spaces stripped from the answer only", "Paris   ", ["Paris "]),
    ("trailing newline", "Paris\n", ["Paris"]),
    ("reference with a control character", "a b", ["a\x00b"]),
    ("very long answer", "x" * 5000 + "1234567" + "y" * 5000, ["1234567"]),
    ("very long reference", "ab" * 400, ["ab" * 400, "ba" * 400]),
    ("near miss at the end", "123456", ["1234567"]),
    ("near miss twice", "123456 1234567", ["1234567"]),
    ("repetition before the match", "aaaaaaab", ["aaab"]),
    ("two different scripts", "Москва is МОСКВА", ["МОСКВА", "moscow"]),
    ("Latin H bar", "Ħ", ["ħ"]),
    ("Vietnamese", "TIẾNG VIỆT", ["tiếng việt"]),
    ("Lithuanian dots", "I\u0307", ["i\u0307"]),
    ("half-width katakana", "ｱ", ["ア"]),
    ("superscript", "x²", ["x2"]),
    ("fraction", "½", ["1/2"]),
    ("circled number", "①", ["1"]),
    ("Roman numeral", "Ⅷ", ["ⅷ"]),
    ("Glagolitic", "Ⰰ", ["ⰰ"]),
    ("Coptic", "Ⲁ", ["ⲁ"]),
    ("Old Hungarian", "𐲀", ["𐳀"]),
    ("Osage", "𐒰", ["𐓘"]),
    ("Latin extended D", "Ꜳ", ["ꜳ"]),
    ("Vithkuqi", "𐕰", ["𐖗"]),
]

ALPHABET = ["a", "B", "c", "1", " ", "\n", "\t", "\x00", "\x1f", "\x7f", "\x85", "\u00a0", "é", "É", "İ", "Σ", "σ", "'", ".", "ß",
            "\u0301", "\u200b", "\u2028", "\u3000", "北", "🔑", "Ⓐ", "ᵃ", "\u00ad", "Я"]


def random_cases(count):
    chance = random.Random(1997)
    for number in range(count):
        answer = "".join(chance.choice(ALPHABET) for _ in range(chance.randrange(0, 24)))
        references = []
        for _ in range(chance.randrange(1, 5)):
            if answer and chance.random() < 0.6:
                start = chance.randrange(len(answer))
                piece = answer[start:start + chance.randrange(1, 5)]
                references.append(piece.swapcase() if chance.random() < 0.5 else piece)
            else:
                references.append("".join(chance.choice(ALPHABET) for _ in range(chance.randrange(1, 4))))
        yield f"random {number}", answer, references


def main():
    rows = []
    for name, answer, references in CASES + list(random_cases(200)):
        rows.append({"case": name, "answer": answer, "references": references, "all": score_all(answer, references),
                     "part": score_part(answer, references), "found": [found(answer, one) for one in references],
                     "graded": post_process(answer)})
    for row in rows:
        print(json.dumps(row))
    # Whole tasks: slices of the rows above, by line number, with RULER's task score and nulls.
    chance = random.Random(2024)
    for number in range(60):
        size = chance.choice([1, 2, 3, 7, 20, 100, 500])
        picked = [chance.randrange(len(rows)) for _ in range(size)]
        metric = chance.choice(["all", "part"])
        mean = sum([rows[i][metric] for i in picked]) / len(picked) * 100
        print(json.dumps({"task": number, "metric": METRICS[metric], "rows": picked, "score": round(mean, 2),
                          "nulls": sum(not rows[i]["graded"] for i in picked)}))


assert sys.version_info < (3, 12), "3.12 sums floats with compensation; RULER's published scores do not"
main()

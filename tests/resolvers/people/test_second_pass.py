"""The second pass: what grew wrong is split, what fell apart is joined, and I is who speaks."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from marked_story import story
from referee.model import Cluster, Document, Mention, Text
from referee.resolvers.neural.cutting import cut_raw
from referee.resolvers.people.second_pass import with_people


def resolved(running: str, clusters: Sequence[Sequence[tuple[str, int]]]) -> Document:
    """Make clusters of words and names by how many times these came before."""
    text = cut_raw(Text("d", (), (), running=running))
    made = [
        Cluster(str(number), tuple(sorted(Mention.at(*place(text, *each)) for each in cluster)))
        for number, cluster in enumerate(clusters)
    ]
    return Document(text, tuple(made))


def place(text: Text, phrase: str, before: int) -> tuple[int, int]:
    words = phrase.split()
    starts = [i for i in range(text.length) if list(text.words[i : i + len(words)]) == words]
    return starts[before], starts[before] + len(words)


def after(document: Document, *, add: bool = True) -> list[list[str]]:
    clusters = with_people(document, add=add)
    return sorted([document.text.spelled(each.spans) for each in cluster] for cluster in clusters)


def test_an_entity_with_two_people_is_split_and_pronouns_follow_the_nearest() -> None:
    running = "Mr. Reed slept. He snored. Mrs. Reed woke. She sighed. Mr. Reed and Mrs. Reed rose."
    one = [("Mr. Reed", 0), ("He", 0), ("Mrs. Reed", 0), ("She", 0), ("Mr. Reed", 1), ("Mrs. Reed", 1)]
    assert after(resolved(running, [one])) == [
        ["Mr. Reed", "He", "Mr. Reed"],
        ["Mrs. Reed", "She", "Mrs. Reed"],
    ]


def test_the_parts_of_one_person_are_joined_with_their_pronouns() -> None:
    running = "Nora Finch slept. She snored. Rain fell. Later Nora Finch woke. She rose."
    parts = [[("Nora Finch", 0), ("She", 0)], [("Nora Finch", 1), ("She", 1)]]
    assert after(resolved(running, parts)) == [["Nora Finch", "She", "Nora Finch", "She"]]


def test_a_pronoun_that_agrees_with_nobody_stays_where_it_was() -> None:
    running = "Nora Finch slept. He snored. Later Nora Finch woke."
    assert after(resolved(running, [[("Nora Finch", 0), ("He", 0), ("Nora Finch", 1)]])) == [
        ["He"],
        ["Nora Finch", "Nora Finch"],
    ]


def test_things_stay_as_they_were() -> None:
    running = "The Thames rose. It fell. We saw Thames Ltd. It closed."
    clusters = [[("The Thames", 0), ("It", 0)], [("Thames Ltd.", 0), ("It", 1)]]
    assert after(resolved(running, clusters)) == sorted([["The Thames", "It"], ["Thames Ltd.", "It"]])


def test_names_that_were_not_found_are_added_where_most_were_and_only_if_asked() -> None:
    running = "Nora Finch sat. " + "Then Nora Finch rose. " * 30 + "So Nora Finch left."
    document = resolved(running, [[("Nora Finch", number) for number in range(31)]])
    assert len(after(document)[0]) == 32
    assert len(after(document, add=False)[0]) == 31


DIALOGUE = """Peter Voss met Daniel Rook.

"You took my bike," said Peter.

"I lost it," said Daniel.

"When?"

"I forget. I was tired."

"Dan, I am angry," he said.
"""


@pytest.fixture
def dialogue() -> Document:
    said = [[("I", n)] for n in range(4)]
    people = [
        [("Peter Voss", 0), ("Peter", 1), ("my", 0)],
        [("Daniel Rook", 0), ("Daniel", 1), ("You", 0), ("Dan", 0)],
    ]
    return resolved(DIALOGUE.format(called="Dan"), [*people, *said])


def test_i_is_who_speaks_by_a_verb_or_by_turns_and_you_who_is_spoken_to(dialogue: Document) -> None:
    found = after(dialogue)
    assert ["Daniel Rook", "You", "I", "Daniel", "I", "I", "Dan"] in found
    assert ["Peter Voss", "my", "Peter", "I"] in found


def test_the_first_of_a_cluster_has_no_link_and_each_other_has_one(dialogue: Document) -> None:
    for first, *others in with_people(dialogue):
        assert first.link_score is None
        assert all(each.link_score is not None for each in others)


def test_a_narrator_is_one_entity_with_the_name_that_others_use() -> None:
    turns = '"Jake, I am here," said Mike.\n\n"I know," I said.\n\nI sat.\n\n' * 4
    running = f"I met Mike Ross.\n\n{turns}I left Mike Ross there.\n"
    text = cut_raw(Text("d", (), (), running=running))
    firsts = [i for i, word in enumerate(text.words) if word == "I"]
    clusters = [
        [("Mike Ross", 0), ("Mike Ross", 1), *(("Mike", n) for n in range(1, 5))],
        [("Jake", n) for n in range(4)],
        [("I", n) for n in range(len(firsts) - 3)],
        [("I", n) for n in range(len(firsts) - 3, len(firsts))],
    ]
    document = resolved(running, clusters)
    narrator = next(cluster for cluster in after(document) if "Jake" in cluster)
    assert narrator.count("I") == len(firsts) - 4  # all but those that Mike says


def labelled(running: str) -> list[list[str]]:
    text = cut_raw(Text("d", (), (), running=running))
    clusters = [[(word, 0)] for word in ("Maya", "Omar") if word in text.words]
    said = [i for i, word in enumerate(text.words) if word in ("I", "you")]
    one = [Cluster(str(9 + i), (Mention.at(i, i + 1),)) for i in said]
    return after(Document(text, (*resolved(running, clusters).clusters, *one)))


def test_chats_say_who_is_i_and_who_is_you() -> None:
    found = labelled("Maya: are you here?\nOmar: I am.\nMaya: I see you.\n")
    assert found == [["Maya", "Maya", "I"], ["you", "Omar", "I", "you"]]


def test_in_a_hearing_who_asks_is_not_whom_is_asked_about() -> None:
    found = labelled("Q. Did you go?\nA. I went.\nQ. May I ask why?\nA. I had to.\n")
    assert found == [["I"], ["you", "I", "I"]]


def test_an_e_mail_is_by_its_sender_and_the_reply_in_it_by_another() -> None:
    found = labelled(
        "From: Maya\nTo: Omar\n\nI will come.\n\nOn Monday, 3 May, Omar wrote:\n> I hope so.\n> I do.\n"
    )
    assert found == [["Maya", "I"], ["Omar", "Omar", "I", "I"]]


def test_a_letter_is_by_who_signs_to_who_is_greeted() -> None:
    assert labelled("Dear Maya,\n\nI thank you.\n\nOmar\n") == [["I", "Omar"], ["Maya", "you"]]


def test_other_colons_are_no_labels() -> None:
    from referee.resolvers.people.labels import spoken_lines

    assert spoken_lines("Note: I went.\nIt rained.\nTom: a name.\nIt was late.\nThen:\nnothing.\n") == []
    assert spoken_lines("") == []
    assert spoken_lines("From: \nDear\n\nX") == []


@pytest.mark.parametrize(
    ("marked", "people"),
    [
        (
            "[Mr. Reed/1] slept. [He/1] snored. [Mrs. Reed/1] woke. [She/1] sighed. [The wife/1] rose.",
            ["Mr. Reed, He, Mr. Reed", "Mrs. Reed, She, The wife, Mrs. Reed"],
        ),
        (
            "[He/1] snored. [She/1] sighed. [Mr. Reed/1] slept. [Mrs. Reed/1] woke.",
            ["He, Mr. Reed, Mr. Reed", "She, Mrs. Reed, Mrs. Reed"],
        ),
        (
            "[Anna/1] and [Tom/1] woke. [the son of Anna/2] sat. [Anna/3] too. [Anna's/3] hat. [Tom/1] sat.",
            ["Anna, Anna, Anna's", "Mr. Reed", "Mrs. Reed", "Tom, Tom", "the son of Anna"],
        ),
        (
            "We saw [Thames/1]. [It/1] fell. We saw [Thames/2].",
            ["Mr. Reed", "Mrs. Reed", "Thames", "Thames, It"],
        ),
        (
            "We saw [Acme/1]. [It/1] fell. [It/1] sank. [He/1] sat. We saw [Acme/2].",
            ["Acme", "Acme, It, It, He", "Mr. Reed", "Mrs. Reed"],
        ),
        (
            "We saw [Acme/1]. [It/1] fell. [He/1] sank. [He/1] sat. We saw [Acme/2].",
            ["Acme, It, He, He, Acme", "Mr. Reed", "Mrs. Reed"],
        ),
        ("[Tom/1] rose. [It/1] fell. [Tom/2] sank.", ["Mr. Reed", "Mrs. Reed", "Tom", "Tom, It"]),
        ("[Tom/1] rose. Rain fell. [Tom/2] sank.", ["Mr. Reed", "Mrs. Reed", "Tom, Tom"]),
        ("[Nora/1] rose. [A maid/1] sat.", ["Mr. Reed", "Mrs. Reed", "Nora, A maid"]),
    ],
)
def test_who_is_one_person(marked: str, people: list[str]) -> None:
    document = story(f"{marked} [Mr. Reed/8] and [Mrs. Reed/9] left.")
    assert [", ".join(each) for each in after(document)] == people


def test_a_name_is_added_only_where_it_stands_alone_and_its_person_is_well_known() -> None:
    for known in (19, 20):
        for before, name, behind in (
            ("Then", "Nora Finch", "left"),
            ("The", "Nora Finch", "left"),
            ("Then", "Nora Finch", "the Wise left"),
            ("Then", "Nora Finch", "II left"),
        ):
            document = story("[Nora Finch/1] sat. " * known + f"{before} {name} {behind}.")
            found = len(after(document)[0])
            assert found == known + (known == 20 and before == "Then" and behind == "left")


MET = "[The king/1] met [a maid/2] when [he/1] rode and [she/2] sang. "


@pytest.mark.parametrize(
    ("marked", "people"),
    [
        (
            MET + '[The king/1] said, "[I/9] know [thee/8]." It rained.',
            ["The king, he, The king, I", "a maid, she", "thee"],
        ),
        (
            MET + '[He/1] said, "[I/9] know." It rained.',
            ["I", "The king, he, He", "a maid, she"],
        ),
        (
            MET + 'Then [she/2] sat: "[I/9] know."',
            ["I", "The king, he", "a maid, she, she"],
        ),
        (
            MET + '"[I/9] know [thee/8]," said [the king/1]. "Who am [I/7]?" asked [she/2].',
            ["I", "The king, he, I, the king", "a maid, she, thee, she"],
        ),
    ],
)
def test_without_paragraphs_i_is_only_who_is_called_by_a_noun(marked: str, people: list[str]) -> None:
    people_found = after(story(marked.replace("king", "old king")))
    assert [", ".join(each).replace("old king", "king") for each in people_found] == people


@pytest.mark.parametrize("turns", [("I", "Mike", "Ann"), ("Mike", "I", "Ann")])
def test_a_narrator_is_called_by_who_speaks_before_or_behind(turns: tuple[str, ...]) -> None:
    """Mike says the name beside what the narrator says, on one side only."""
    lines = {
        "I": '"So it is," [I/N] said.',
        "Mike": '"[Jake/J], look here," said [Mike/M].',
        "Ann": '"Rain," said [Ann/A].',
    }
    marked = (
        "[I/N] met [Mike Ross/M] and [Ann/A].\n\n"
        + "\n\n".join(lines[who] for who in turns * 4)
        + "\n\n[I/N] left."
    )
    narrator = next(person for person in after(story(marked)) if "Jake" in person)
    assert narrator.count("I") == 6


@pytest.mark.parametrize(
    ("marked", "people"),
    [
        # nobody is she in what she says, or is told
        (
            "[Maya/M]: Eva says [she/M] liked it.\n[Omar/O]: [she/M] likes all.\n[Maya/M]: true.\n",
            ["Eva, she, she", "Maya, Maya", "Omar"],
        ),
        ("[Maya/M]: [she/M] liked it.\n[Omar/O]: yes.\n[Maya/M]: true.\n", ["Maya, she, Maya", "Omar"]),
        (
            "[Omar/O]: come, Eva.\n[Maya/M]: [she/M] liked it.\n[Omar/O]: yes.\n",  # Eva is spoken to
            ["Maya, she", "Omar, Omar"],
        ),
        (
            "[Maya/M]: Peter saw that [she/M] sat.\n[Omar/O]: yes.\n[Maya/M]: so.\n",
            ["Maya, she, Maya", "Omar"],
        ),
    ],
)
def test_whom_a_conversation_is_about(marked: str, people: list[str]) -> None:
    assert [", ".join(each) for each in after(story(marked))] == people


@pytest.mark.parametrize(
    ("pronoun", "relative", "sister"),
    [
        ("she", "sister", ["my sister", "she", "your sister"]),
        ("he", "sister", ["my sister", "he"]),  # no sister
        ("she", "brother", ["my sister", "she"]),
    ],
)
def test_my_sister_is_who_is_called_your_sister_to_me(pronoun: str, relative: str, sister: list[str]) -> None:
    running = f"Maya: my sister left when {pronoun} sang.\nOmar: is your {relative} ill?\nMaya: no.\n"
    clusters = [[("Maya", 0), ("my", 0)], [("your", 0)], [("my sister", 0), (pronoun, 0)]]
    found = after(resolved(running, clusters))
    assert sister in found
    assert ["Maya", "my", "your", "Maya"] in found


@pytest.mark.parametrize(
    ("marked", "people"),
    [
        (  # one's boss is not oneself, nor who is told of it; who is angry is the boss
            "[Maya/M]: [my boss/O] said [she/M] is ill.\n[Omar/O]: [your boss/O] is old.\n[Maya/M]: so.\n",
            ["Maya, Maya", "my boss, she, your boss", "Omar"],
        ),
        (  # another one's boss is another
            "[Maya/M]: [my boss/M] is ill.\n[Omar/O]: [my boss/M] is old.\n[Maya/M]: so.\n",
            ["Maya, Maya", "my boss", "Omar", "my boss"],
        ),
        (  # by these one means who is spoken to
            "[Maya/M]: [my friend/O], go.\n[Omar/O]: yes.\n[Maya/M]: so.\n",
            ["Maya, Maya", "my friend, Omar"],
        ),
        (  # a boss who was found stays, and her kind, too
            "[Maya/M]: [my boss/B] met [her/B].\n[Omar/O]: [your boss/M] is old.\n[Maya/M]: so.\n",
            ["Maya, Maya", "my boss, her, your boss", "Omar"],
        ),
        (  # my father is no she
            "[Maya/M]: [my father/M] saw that [she/M] sat.\n[Omar/O]: yes.\n[Maya/M]: so.\n",
            ["Maya, she, Maya", "my father", "Omar"],
        ),
        (  # a label is who it names
            "[Maya/M]: [I/M] sit.\n[Omar/M]: [I/M] go.\n[Maya/M]: so.\n[Omar/M]: no.\n",
            ["Maya, I, Maya", "Omar, I, Omar"],
        ),
        (  # the bucket is nobody
            "[Maya/M]: [my bucket/M] is old.\n[Omar/O]: yes.\n[Maya/M]: so.\n",
            ["Maya, my bucket, Maya", "Omar"],
        ),
    ],
)
def test_whom_one_calls_ones_own_is_somebody_else(marked: str, people: list[str]) -> None:
    assert sorted(", ".join(each) for each in after(story(marked))) == sorted(people)


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ('"[I/A] know," says Mr. Holm.', ["Ann, she", "I, Mr. Holm"]),
        ('"[I/A] know," said the old waiter.', ["Ann, she", "I, the old waiter"]),
        ('"[I/A] know," said the shrill sharp old head waiter.', ["Ann, she, I"]),
        ('"It rains," said the old waiter. [I/A] left.', ["Ann, she, I"]),  # who says no I is not added
        (
            '"[I/A] know," said [the waiter/W].',
            ["Ann, she, I", "the waiter"],
        ),  # a thing, for all that is known
    ],
)
def test_who_speaks_is_found_though_nothing_was_linked_with_it(text: str, people: list[str]) -> None:
    document = story(f"[Ann/A] sat where [she/A] was.\n\n{text}")
    assert [", ".join(each) for each in after(document)] == people

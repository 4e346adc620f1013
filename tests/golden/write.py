"""`python -m tests.golden.write` writes the golden games anew; see what has changed in the diff."""

from tests.golden.files import HERE, names, write

if __name__ == "__main__":
    write()
    print(f"{len(names())} golden games in {HERE}")

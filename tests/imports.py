"""The import contract that states what a package may import, rather than what it may not."""

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


def _within(module: str, packages: list[str]) -> bool:
    return any(module == package or module.startswith(package + ".") for package in packages)


class OnlyContract(Contract):
    """`importers`, and all modules below them, import directly nothing outside `allowed`.

    Both are lists of package names; one that does not exist (yet) is no error.
    """

    type_name = "only"

    importers = fields.ListField(subfield=fields.StringField())
    allowed = fields.ListField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        importers: list[str] = self.importers  # type: ignore[assignment]
        allowed: list[str] = self.allowed  # type: ignore[assignment]
        strays = [
            details
            for module in sorted(graph.modules)
            if _within(module, importers)
            for imported in sorted(graph.find_modules_directly_imported_by(module))
            if not _within(imported, allowed)
            for details in graph.get_import_details(importer=module, imported=imported)
        ]
        return ContractCheck(kept=not strays, metadata={"strays": strays})

    def render_broken_contract(self, check: ContractCheck) -> None:
        for stray in check.metadata["strays"]:
            where = f"{stray['importer']} line {stray['line_number']}"
            output.print_error(f"{where}: {stray['line_contents']}", bold=False)

"""Challenge categories: what they are, who proposed them, and which samples belong to which.

``category`` says what a taxonomy is, ``toml_form`` how a person reads and edits it; the one in
``default.toml`` is built in. ``labels`` and ``proposal`` turn the benchmarks' own task labels and a
model's replies into one; ``votes`` turns a panel's votes into assignments; ``counts`` and
``agreement`` make the numbers of their tables. Everything here is pure.
"""

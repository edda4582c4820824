"""Lists of words that more than one rule looks up."""

from __future__ import annotations


def words(listed: str) -> frozenset[str]:
    """Return the words of a list that is written with white space between them.

    Example:
        >>> sorted(words("the a"))
        ['a', 'the']
    """
    return frozenset(listed.split())


def lower(text: str) -> str:
    """Return a text in lower case, letter by letter, so that places in it stay what they were.

    Example:
        >>> len(lower("İX")), len("İX".lower())
        (2, 3)
    """
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(low if len(low := c.lower()) == 1 else c for c in text)


FUNCTION_WORDS = words(
    """a an the this these that those such its their our his her my your it they we he she you i
    who whom whose which what where when why how all any both each every either neither no not
    none some many much more most few fewer less least several various multiple numerous other
    another same own and or but nor yet so than then as if while whereas although though because
    since until unless once at by for from in into of off on onto out over per through to toward
    towards under up upon with within without about above across after against along among around
    before behind below beneath beside besides between beyond despite down during except inside
    like near outside regarding throughout via versus is are was were be been being am do does did
    done has have had having can could may might must shall should will would also only even just
    still already often usually typically generally commonly widely recently however moreover
    furthermore therefore thus hence here there now very too quite rather well further first second
    third finally namely e.g i.e etc vs et al one two three four five six seven eight nine ten
    yes let given according due compared based using used use uses"""
)
"""Words that no name holds at its edge."""

PRAISE = words(
    """novel new simple effective efficient powerful robust general unified principled scalable
    lightweight light-weight flexible practical fast strong better best improved enhanced advanced
    innovative original effective comprehensive extensive large large-scale small big high low
    high-quality state-of-the-art competitive promising popular common standard traditional
    classical classic vanilla existing current recent previous prior proposed different similar
    specific particular certain important key major main significant challenging difficult hard
    complex real-world real practical theoretical empirical experimental overall additional
    alternative appropriate suitable available possible potential necessary sufficient optimal
    interesting remaining following underlying corresponding resulting respective entire whole
    full complete good great superior well-known well-established off-the-shelf open-source
    publicly modern diverse typical useful easy straightforward plug-and-play first latest
    emerging leading growing increasing long-standing fundamental essential crucial critical
    careful simple-yet-effective easy-to-use versatile carefully newly highly computationally
    original initial final individual single respective modified extended"""
)
"""Degree and novelty words, which stand outside of a name."""

COMMON_NAMES = words(
    """accuracy alignment exploration precision recommendation recommendations recall coherence
    sensitivity bootstrap bootstrapping adapter adapters faithfulness specificity momentum
    stacking modularity superposition optimization optimizations optimisation reasoning planning
    stemming persuasion grasping chunking probing pooling boosting auction auctions entropy
    fluency calibration hallucination hallucinations memorization exploitation robotic forecasting
    prompting latency throughput regret regrets robustness fairness generalization interpretability
    bandit parser parsers ontology ontologies transition compression communication diversity
    supervision equivariance copula verifier counterfactual counterfactuals self-driving
    attention search sampling ranking editing reranking locomotion heterophily surprisal"""
)
"""Curated names that are everyday words: they count only next to a cue."""

NOT_NAMES = words(
    """AI ML API APIs GPU GPUs CPU CPUs TPU TPUs FPGA FPGAs USA US UK EU UN PDF HTML URL URLs HTTP
    COVID COVID-19 DNA RNA mRNA MRI CT EEG ECG IoT SOTA SoTA IID i.i.d OOD ID NP NP-hard PAC RGB
    RGB-D LaTeX PyTorch Pytorch TensorFlow Tensorflow Keras JAX GitHub Github HuggingFace Python
    Java CUDA NVIDIA Nvidia OpenAI DeepMind Google Facebook Meta Microsoft NeurIPS NIPS ICML ICLR
    ACL EMNLP NAACL EACL COLING CVPR ICCV ECCV AAAI IJCAI KDD SIGIR IEEE ACM LREC Interspeech
    PhD CEO FAQ FAQs ID IDs RAM SQL XML JSON CSV TV UI GUI OS PC HPC STEM ASCII GB MB TB KB
    A100 V100 H100 RTX TL;DR Q&A QA LLM LLMs NLP OpenReview arXiv PhDs MIT CC-BY MTurk CO2 Linux
    iOS Android YouTube LinkedIn McDonald PubMed E2E II III IV VI VII IID non-IID FLOPs FLOP L1 L2
    L0 SE CI CLI IDE IoU"""
)
"""Strings in the shape of a name that name no concept of their own."""

SITES = frozenset(
    {
        "Wikipedia", "DBLP", "DBpedia", "Last.fm", "TREC", "Text REtrieval Conference", "Twitter",
        "Reddit", "UCI", "UCI data set", "UCI dataset", "IMDB", "IMDb", "Yelp", "Flickr", "Yahoo!",
        "Netflix", "Amazon", "Wikidata", "Freebase", "Stack Overflow", "Quora", "Kaggle",
    }
)  # fmt: skip
"""Places that data come from: a data set only where a sentence treats the name as one."""

NO_ENTITIES = frozenset(
    {
        "machine learning",
        "neural network",
        "artificial intelligence",
        "deep learning",
        "computational linguistics",
        "digital humanities",
        "computational social science",
        "bioinformatics",
        "game theory",
        "data mining",
        "genomics",
        "generative AI",
        "AI ethics",
        "low-resource language",
        "hallucination",
        "distribution shift",
        "covariate shift",
        "subpopulation shift",
        "concept drift",
        "client drift",
        "class imbalance",
        "catastrophic forgetting",
        "label noise",
        "missing data",
        "spurious correlation",
        "memorization",
        "gender bias",
        "social bias",
        "implicit bias",
        "popularity bias",
        "political bias",
        "simplicity bias",
        "spectral bias",
        "vanishing gradient",
        "mode collapse",
        "posterior collapse",
        "neural collapse",
        "model collapse",
        "over-smoothing",
        "over-squashing",
        "over-refusal",
        "superposition",
        "data heterogeneity",
        "data contamination",
        "data privacy",
        "double descent",
        "benign overfitting",
        "emergent abilities",
        "knowledge conflict",
        "shortcut learning",
        "reward hacking",
        "plasticity loss",
        "grokking",
        "sycophancy",
        "exploration-exploitation trade-off",
        "length extrapolation",
        "turn-taking",
        "theory of mind",
        "heterophily",
        "overparameterization",
        "label leakage",
        "mode connectivity",
        "Nash equilibrium",
        "adversarial example",
        "number of parameters",
        "parameter count",
        "loss function",
        "inductive bias",
        "Python",
        "PyTorch",
        "TensorFlow",
        "JAX",
        "GitHub",
        "Hugging Face",
        "scikit-learn",
        "human evaluation",
        "long-context modeling",
        "synthetic data generation",
    }
)
"""Curated labels of fields, phenomena and software: subjects, but none of the four kinds."""

METHOD_HEADS = words(
    """model method algorithm framework architecture network approach optimizer optimiser system
    loss layer module encoder decoder estimator classifier agent baseline technique scheme
    pipeline strategy variant objective kernel solver sampler tokenizer parser embedding embeddings
    mechanism regularizer paradigm procedure prompting transformer backbone learner planner
    predictor toolkit library checkpoint checkpoints LLM LLMs GAN VAE autoencoder attack defense
    block heuristic policy simulator interface family estimators"""
)
_EMPTY_HEADS = words(
    """model models method methods algorithm algorithms framework frameworks architecture
    architectures approach approaches system systems technique techniques scheme schemes strategy
    strategies procedure procedures task tasks problem problems challenge challenges setting
    settings paradigm paradigms application applications scenario scenarios dataset datasets
    conventional extended accurate self-constructed s"""
)


def is_empty_word(word: str) -> bool:
    """Tell whether a word beside a name adds nothing to it.

    Example:
        >>> [w for w in ("vanilla", "graph", "approaches") if is_empty_word(w)]
        ['vanilla', 'approaches']
    """
    lowered = word.lower()
    return lowered in _EMPTY_HEADS or lowered in PRAISE or lowered in FUNCTION_WORDS


DATASET_HEADS = words(
    """dataset datasets benchmark corpus corpora treebank collection leaderboard testbed database
    testset suite dataverse lexicon"""
)
TASK_HEADS = words("task problem challenge subtask")
METRIC_HEADS = words("score metric measure scores")

"""8-bit vector codes: a quarter of the memory to read, with a bound on the similarity error.

The bound makes a scan exact: rows that cannot be among the best are skipped, and the rest are
compared in full. It is six standard deviations of an error with random direction, as rounding has.
The full length of the error would be a certain bound, but for 256 dimensions it is nearly three
times as wide and leaves far more rows to compare.

faiss's 8-bit index was measured too: half as fast, and its codes cannot be mapped from a file that
DocSets share.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import simsimd

from backend.inference.embeddings import Matrix
from backend.search.ranking import Scores

Codes = npt.NDArray[np.int8]

_LARGEST = 127
_DEVIATIONS = 6.0
# What float32 rounding may add to a product of unit vectors.
_ROUNDING = 2e-6


@dataclass(frozen=True)
class Quantised:
    """Rows of vectors: row = codes * scale, up to an error of the given length."""

    codes: Codes
    scales: Scores
    errors: Scores

    @property
    def nbytes(self) -> int:
        return self.codes.nbytes + self.scales.nbytes + self.errors.nbytes

    def part(self, rows: slice) -> "Quantised":
        return Quantised(self.codes[rows], self.scales[rows], self.errors[rows])


def quantise(vectors: Matrix) -> Quantised:
    """Encodes vectors of shape (rows, dimension) in 8 bits."""
    peaks = np.abs(vectors).max(axis=1, initial=0.0)
    scales = np.where(peaks > 0, peaks / _LARGEST, 1.0).astype(np.float32)
    codes = np.rint(vectors / scales[:, None]).astype(np.int8)
    errors = np.linalg.norm(vectors - codes * scales[:, None], axis=1).astype(np.float32)
    return Quantised(codes, scales, errors)


def estimates(rows: Quantised, query: Quantised) -> tuple[Scores, Scores]:
    """The similarity of each row to a one-row query with its error bound; lengths are one."""
    products: Scores = np.empty(len(rows.codes), dtype=np.float32)
    if len(rows.codes):
        simsimd.cdist(query.codes, rows.codes, "inner", out=products[None])
    products *= rows.scales
    products *= query.scales[0]
    slack = rows.errors * (1 + query.errors[0])
    slack += query.errors[0]
    slack *= min(1.0, _DEVIATIONS / math.sqrt(rows.codes.shape[1]))
    slack += _ROUNDING
    return products, slack


def likeness(vectors: Matrix, query: npt.NDArray[np.float32]) -> Scores:
    """Dot products of vectors with a query; independent of the position of a row."""
    products: Scores = np.empty(len(vectors), dtype=np.float32)
    if len(vectors):
        simsimd.cdist(query[None], vectors, "inner", out=products[None])
    return products

"""Runs operations of scipy.sparse on a matrix for `trellis measure algebra`: lines "name repeats" in, times and sums out."""
import sys
import time

import numpy
import scipy
import scipy.sparse as sparse
from scipy.sparse import csgraph
from scipy.sparse import linalg

a = sparse.csr_matrix(sparse.load_npz(sys.argv[1]))
a.sort_indices()
rows, columns = a.shape
t = a.T.tocsr()
t.sort_indices()
d = 1.0 + numpy.arange(rows) % 7
x = 1.0 + numpy.arange(columns) % 7
even = numpy.arange(0, rows, 2)
coordinates = a.tocoo()
i = numpy.concatenate([coordinates.row[::-1], coordinates.row])
j = numpy.concatenate([coordinates.col[::-1], coordinates.col])
v = numpy.concatenate([coordinates.data[::-1], coordinates.data])
small = sparse.csr_matrix([[1.0, 2.0], [0.0, 3.0]])
low, high = rows // 4, rows - rows // 4


def sorted_rows(result):
    result.sort_indices()
    return result


OPERATIONS = {
    "transpose": lambda: a.T.tocsr(),
    "sum": lambda: a + t,
    "element-wise product": lambda: a.multiply(t).tocsr(),
    "element-wise maximum": lambda: a.maximum(t),
    "product": lambda: sorted_rows(a @ a),
    "product with a vector": lambda: a @ x,
    "every second row": lambda: a[even, :],
    "every second column": lambda: a[:, even],
    "submatrix": lambda: a[low:high, low:high],
    "lower triangle": lambda: sparse.tril(a, format="csr"),
    "scaled rows": lambda: sparse.diags(d) @ a,
    "one above the other": lambda: sparse.vstack([a, t], format="csr"),
    "side by side": lambda: sparse.hstack([a, t], format="csr"),
    "Kronecker product": lambda: sparse.kron(a, small, format="csr"),
    "sums of rows": lambda: a.sum(axis=1),
    "sums of columns": lambda: a.sum(axis=0),
    "maxima of rows": lambda: a.max(axis=1),
    "1-norm": lambda: linalg.norm(a, 1),
    "coordinates to rows": lambda: sorted_rows(sparse.coo_matrix((v, (i, j)), shape=a.shape).tocsr()),
    "connected components": lambda: csgraph.connected_components(a, directed=False)[0],
    "breadth-first search": lambda: csgraph.breadth_first_order(a, 0, return_predecessors=False).size,
}


def checksum(result):
    matrix = result.tocoo() if sparse.issparse(result) else sparse.coo_matrix(numpy.asarray(result).reshape(-1, 1))
    weights = 1 + (31 * matrix.row.astype(numpy.int64) + 17 * matrix.col.astype(numpy.int64)) % 101
    return (matrix.data * weights).sum(), (abs(matrix.data) * weights).sum()


print(scipy.__version__, flush=True)
for line in sys.stdin:
    name, repeats = line.rstrip("\n").split("\t")
    work = OPERATIONS[name]
    processor, start = time.process_time(), time.perf_counter()
    for _ in range(int(repeats)):
        result = work()
    seconds = (time.perf_counter() - start) / int(repeats)
    processor = (time.process_time() - processor) / int(repeats)
    total, magnitude = checksum(result)
    print(repr(float(seconds)), repr(float(processor)), repr(float(total)), repr(float(magnitude)), flush=True)

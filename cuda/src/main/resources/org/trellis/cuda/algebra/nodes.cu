// What the set-up of multigrid by aggregation needs for nodes of several unknowns, or several vectors of the near null
// space: norms of blocks, and orthogonal factors of the vectors on each aggregate. Sums are in the order of the host's.
#include "arguments.cuh"

#define NONE (-1)
#define ENDED 0x7fffffff
#define DEPENDENT 1e-10

// Merges the rows of a node: blocks in the order of their columns, terms row by row. size is the number of unknowns of a
// node; more has where each row has come to. Stores columns and norms unless there is no place; returns their number.
__device__ __forceinline__ int mergeBlocks(const Arguments& a, int node, int* columns, REAL* values) {
    const long long first = (long long) node * a.size;
    int next = ENDED;
    for (int i = 0; i < a.size; i++) {
        const int start = a.a.offsets[first + i];
        a.more[first + i] = start;
        if (start < a.a.offsets[first + i + 1]) {
            next = min(next, a.a.columns[start] / a.size);
        }
    }
    int count = 0;
    while (next != ENDED) {
        const int here = next;
        next = ENDED;
        double sum = 0;
        for (int i = 0; i < a.size; i++) {
            int k = a.more[first + i];
            const int end = a.a.offsets[first + i + 1];
            while (k < end && a.a.columns[k] / a.size == here) {
                const double value = a.a.values[k];
                sum += value * value;
                k++;
            }
            a.more[first + i] = k;
            if (k < end) {
                next = min(next, a.a.columns[k] / a.size);
            }
        }
        if (columns != nullptr) {
            columns[count] = here;
            values[count] = (REAL) sqrt((double) (REAL) sum);
        }
        count++;
    }
    return count;
}

// Counts the blocks of nodes in lengths.
extern "C" __global__ void __launch_bounds__(THREADS) countBlocks(const __grid_constant__ Arguments a) {
    const int node = item();
    if (node < a.rows) {
        a.lengths[node] = mergeBlocks(a, node, nullptr, nullptr);
    }
}

// The Frobenius norms of blocks.
extern "C" __global__ void __launch_bounds__(THREADS) fillNorms(const __grid_constant__ Arguments a) {
    const int node = item();
    if (node < a.rows) {
        mergeBlocks(a, node, a.columns + a.offsets[node], a.values + a.offsets[node]);
    }
}

// The product of two vectors on the members from to to of an aggregate; z has the vectors, those of a row side by side.
__device__ __forceinline__ double dotOf(const Arguments& a, int from, int to, int u, int v) {
    double sum = 0;
    for (int k = from; k < to; k++) {
        const double* q = a.z + (long long) a.b.columns[k] * a.first * a.size;
        for (int i = 0; i < a.first; i++, q += a.size) {
            sum += q[u] * q[v];
        }
    }
    return sum;
}

// Modified Gram-Schmidt on aggregates, which rows are, with members in b. size is the number of vectors, first that of
// the unknowns of a node, last that of the rows of the level. x has the vectors one after the other, z gets the
// orthogonal factors, y the triangular ones as vectors of the next level, which was zero.
extern "C" __global__ void __launch_bounds__(THREADS) orthogonalise(const __grid_constant__ Arguments a) {
    const int aggregate = item();
    if (aggregate >= a.rows) {
        return;
    }
    const int from = a.b.offsets[aggregate];
    const int to = a.b.offsets[aggregate + 1];
    for (int k = from; k < to; k++) {
        for (int i = 0; i < a.first; i++) {
            const long long row = (long long) a.b.columns[k] * a.first + i;
            for (int v = 0; v < a.size; v++) {
                a.z[row * a.size + v] = a.x[v * (long long) a.last + row];
            }
        }
    }
    const long long coarseRows = (long long) a.rows * a.size;
    for (int v = 0; v < a.size; v++) {
        double* const column = a.y + v * coarseRows + (long long) aggregate * a.size;
        const double before = dotOf(a, from, to, v, v);
        for (int u = 0; u < v; u++) {
            const double along = dotOf(a, from, to, u, v);
            for (int k = from; k < to; k++) {
                double* q = a.z + (long long) a.b.columns[k] * a.first * a.size;
                for (int i = 0; i < a.first; i++, q += a.size) {
                    q[v] -= along * q[u];
                }
            }
            column[u] = along;
        }
        const double left = sqrt(dotOf(a, from, to, v, v));
        const bool independent = left > DEPENDENT * sqrt(before);
        for (int k = from; k < to; k++) {
            double* q = a.z + (long long) a.b.columns[k] * a.first * a.size;
            for (int i = 0; i < a.first; i++, q += a.size) {
                q[v] = independent ? q[v] / left : 0.0;
            }
        }
        column[v] = independent ? left : 0.0;
    }
}

// Counts the entries of rows of the tentative prolongator; list has the aggregates of nodes, z the orthogonal factors.
extern "C" __global__ void __launch_bounds__(THREADS) countFactors(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows) {
        int length = 0;
        if (a.list[row / a.first] >= 0) {
            for (int v = 0; v < a.size; v++) {
                length += a.z[(long long) row * a.size + v] != 0;
            }
        }
        a.lengths[row] = length;
    }
}

// The tentative prolongator as a matrix.
extern "C" __global__ void __launch_bounds__(THREADS) fillFactors(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows && a.list[row / a.first] >= 0) {
        int at = a.offsets[row];
        for (int v = 0; v < a.size; v++) {
            const double element = a.z[(long long) row * a.size + v];
            if (element != 0) {
                a.columns[at] = a.list[row / a.first] * a.size + v;
                a.values[at++] = (REAL) element;
            }
        }
    }
}

// The column and the value of rows of at most one entry.
extern "C" __global__ void __launch_bounds__(THREADS) singleEntries(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows) {
        const int start = a.a.offsets[row];
        const bool some = start < a.a.offsets[row + 1];
        a.more[row] = some ? a.a.columns[start] : NONE;
        a.vector[row] = some ? a.a.values[start] : REAL(0);
    }
}

// Rounds x to the precision of matrices.
extern "C" __global__ void __launch_bounds__(THREADS) roundVector(const __grid_constant__ Arguments a) {
    const int i = item();
    if (i < a.rows) {
        a.vector[i] = (REAL) a.x[i];
    }
}

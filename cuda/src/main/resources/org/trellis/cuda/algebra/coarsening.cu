// What the set-up of multigrid needs beside aggregates: thinning of coarse matrices, and the classical coarsening, its
// splitting and interpolation. One thread for each row unless said otherwise. The order of all sums is that of the set-up on
// the host.
#include "arguments.cuh"

#define UNDECIDED 0
#define COARSE 1
#define FINE 2

// The weight of an edge (ThinnedMatrix), x being the near null space; the product of its elements first, so that mirror
// images have the same bits.
__device__ __forceinline__ double weightOf(const Arguments& a, int k, int row) {
    const int column = a.a.columns[k];
    return column == row ? 0.0 : -(double) a.a.values[k] * (a.x[row] * a.x[column]);
}

// The greatest weight of each row to y, -1 for rows without an entry on the diagonal, which keep all.
extern "C" __global__ void __launch_bounds__(THREADS) greatestWeights(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows) {
        double greatest = 0;
        bool diagonal = false;
        for (int k = a.a.offsets[row]; k < a.a.offsets[row + 1]; k++) {
            greatest = fmax(greatest, weightOf(a, k, row));
            diagonal |= a.a.columns[k] == row;
        }
        a.y[row] = diagonal ? greatest : -1.0;
    }
}

// Whether two edges join the ends of an edge, both of at least some weight.
__device__ __forceinline__ bool hasPath(const Arguments& a, int row, int column, double least) {
    int k = a.a.offsets[row];
    int l = a.a.offsets[column];
    const int kEnd = a.a.offsets[row + 1];
    const int lEnd = a.a.offsets[column + 1];
    while (k < kEnd && l < lEnd) {
        const int mine = a.a.columns[k];
        const int theirs = a.a.columns[l];
        if (mine == theirs && mine != row && mine != column && weightOf(a, k, row) >= least
                && weightOf(a, l, column) >= least) {
            return true;
        }
        k += mine <= theirs;
        l += theirs <= mine;
    }
    return false;
}

// Which entries stay, as 1 in more; alpha is the share, y has the greatest weights. Eight threads a row.
extern "C" __global__ void __launch_bounds__(THREADS) findPaths(const __grid_constant__ Arguments a) {
    const int row = (int) ((blockIdx.x * (long long) THREADS + threadIdx.x) / 8);
    if (row < a.rows) {
        for (int k = a.a.offsets[row] + threadIdx.x % 8; k < a.a.offsets[row + 1]; k += 8) {
            const int column = a.a.columns[k];
            const double least = fabs(weightOf(a, k, row)) / a.alpha;
            a.more[k] = !(column != row && least > 0 && least <= a.y[row] && hasPath(a, row, column, least));
        }
    }
}

// Counts what stays.
extern "C" __global__ void __launch_bounds__(THREADS) countStaying(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows) {
        int length = 0;
        for (int k = a.a.offsets[row]; k < a.a.offsets[row + 1]; k++) {
            length += a.more[k];
        }
        a.lengths[row] = length;
    }
}

// Adds what is left out to the diagonal, so that the product with x stays.
__device__ __forceinline__ void moveToDiagonal(const Arguments& a, int row, int diagonalAt, double moved) {
    if (moved != 0) {
        a.values[diagonalAt] = (REAL) ((double) a.values[diagonalAt] + moved / a.x[row]);
    }
}

// Keeps what stays.
extern "C" __global__ void __launch_bounds__(THREADS) fillThinned(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows) {
        int to = a.offsets[row];
        int diagonalAt = -1;
        double moved = 0;
        for (int k = a.a.offsets[row]; k < a.a.offsets[row + 1]; k++) {
            const int column = a.a.columns[k];
            if (a.more[k]) {
                diagonalAt = column == row ? to : diagonalAt;
                a.columns[to] = column;
                a.values[to++] = a.a.values[k];
            } else {
                moved += (double) a.a.values[k] * a.x[column];
            }
        }
        moveToDiagonal(a, row, diagonalAt, moved);
    }
}

// Keeps the entries whose columns are there (offsets, columns).
extern "C" __global__ void __launch_bounds__(THREADS) thinAgain(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows) {
        int to = a.offsets[row];
        const int end = a.offsets[row + 1];
        int diagonalAt = -1;
        double moved = 0;
        for (int k = a.a.offsets[row]; k < a.a.offsets[row + 1]; k++) {
            const int column = a.a.columns[k];
            if (to < end && a.columns[to] == column) {
                diagonalAt = column == row ? to : diagonalAt;
                a.values[to++] = a.a.values[k];
            } else {
                moved += (double) a.a.values[k] * a.x[column];
            }
        }
        moveToDiagonal(a, row, diagonalAt, moved);
    }
}

// The components of unknowns whose nodes have size of them.
extern "C" __global__ void __launch_bounds__(THREADS) fillComponents(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows) {
        a.more[row] = row % a.size;
    }
}

// The components of those that stay: list has the components, lengths the states, offsets the places, more gets them.
extern "C" __global__ void __launch_bounds__(THREADS) coarseComponents(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows && a.lengths[row] == COARSE) {
        a.more[a.offsets[row]] = a.list[row];
    }
}

// Whether unknowns are of one component; list has them, or is null where there is one only.
__device__ __forceinline__ bool isSame(const Arguments& a, int row, int column) {
    return a.list == nullptr || a.list[row] == a.list[column];
}

// The sign of couplings to x, which is 0 where the row sums up to more than a share (beta) of its diagonal, and the
// greatest coupling of each row to others of its component times theta (alpha) to y.
extern "C" __global__ void __launch_bounds__(THREADS) classicalLimits(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows) {
        double diagonal = 0;
        double greatest = 0;
        double least = 0;
        double sum = 0;
        for (int k = a.a.offsets[row]; k < a.a.offsets[row + 1]; k++) {
            const int column = a.a.columns[k];
            const double value = a.a.values[k];
            sum += value;
            if (column == row) {
                diagonal = value;
            } else if (isSame(a, row, column)) {
                greatest = fmax(greatest, value);
                least = fmin(least, value);
            }
        }
        const bool settled = a.beta < 1 && fabs(sum) > a.beta * fabs(diagonal);
        a.x[row] = settled ? 0 : diagonal < 0 ? 1 : -1;
        a.y[row] = a.alpha * (diagonal < 0 ? greatest : -least);
    }
}

__device__ __forceinline__ int couplings(const Matrix& matrix, int row) {
    int count = 0;
    for (int k = matrix.offsets[row]; k < matrix.offsets[row + 1]; k++) {
        count += matrix.columns[k] != row;
    }
    return count;
}

// Counts the rows with couplings in a and none in b.
extern "C" __global__ void __launch_bounds__(THREADS) countCutOff(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows && couplings(a.a, row) > 0 && couplings(a.b, row) == 0) {
        atomicAdd(a.counts, 1);
    }
}

// Keys of unknowns (Splitting.key), and their states to list; b has for each those that depend on it.
extern "C" __global__ void __launch_bounds__(THREADS) splittingKeys(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows) {
        const int influence = a.b.offsets[row + 1] - a.b.offsets[row];
        unsigned long long mixed = (unsigned long long) (row + 1LL) * 0x9E3779B97F4A7C15ULL;
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9ULL;
        const long long tie = (long long) ((mixed ^ (mixed >> 27)) >> 52);
        a.keys[row] = ((long long) min(influence, 1 << 19) << 43) | (tie << 31) | row;
        const bool alone = influence == 0 || a.a.offsets[row + 1] == a.a.offsets[row];
        a.list[row] = alone ? FINE : UNDECIDED;
    }
}

__device__ __forceinline__ bool isGreatest(const Arguments& a, const Matrix& graph, int row) {
    for (int k = graph.offsets[row]; k < graph.offsets[row + 1]; k++) {
        const int other = graph.columns[k];
        if (a.list[other] == UNDECIDED && a.keys[other] > a.keys[row]) {
            return false;
        }
    }
    return true;
}

// The states (list) after those with the greatest keys have joined, to more; a has what unknowns depend on, b the opposite.
extern "C" __global__ void __launch_bounds__(THREADS) selectCoarse(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows) {
        const int state = a.list[row];
        a.more[row] = state == UNDECIDED && isGreatest(a, a.a, row) && isGreatest(a, a.b, row) ? COARSE : state;
    }
}

// Makes F of who depends on C, in more, where others look for C only; counts those that are left.
extern "C" __global__ void __launch_bounds__(THREADS) selectFine(const __grid_constant__ Arguments a) {
    __shared__ int left;
    if (threadIdx.x == 0) {
        left = 0;
    }
    __syncthreads();
    const int row = item();
    if (row < a.rows && a.more[row] == UNDECIDED) {
        bool depends = false;
        for (int k = a.a.offsets[row]; k < a.a.offsets[row + 1] && !depends; k++) {
            depends = ((const volatile int*) a.more)[a.a.columns[k]] == COARSE;
        }
        if (depends) {
            a.more[row] = FINE;
        } else {
            atomicAdd(&left, 1);
        }
    }
    __syncthreads();
    if (threadIdx.x == 0 && left > 0) {
        atomicAdd(a.counts, left);
    }
}

// Which unknowns stay, as lengths of 1, from states in list.
extern "C" __global__ void __launch_bounds__(THREADS) countCoarse(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows) {
        a.lengths[row] = a.list[row] == COARSE;
    }
}

// How many C unknowns a row may be interpolated from at most, to lengths; states are in list, b has the strong couplings.
extern "C" __global__ void __launch_bounds__(THREADS) countReach(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row >= a.rows) {
        return;
    }
    int reach = 1;
    for (int k = a.b.offsets[row]; k < a.b.offsets[row + 1] && a.list[row] != COARSE; k++) {
        const int neighbour = a.b.columns[k];
        reach += a.list[neighbour] == COARSE;
        for (int l = a.b.offsets[neighbour]; l < a.b.offsets[neighbour + 1] && a.list[neighbour] != COARSE; l++) {
            reach += a.list[a.b.columns[l]] == COARSE;
        }
    }
    a.lengths[row] = reach;
}

// A row of an interpolation under way: the C unknowns that it may be interpolated from, in order, and sums.
struct Row {
    int* coarse;
    double* sums;
    int size;
};

__device__ __forceinline__ void addCoarse(Row& row, int unknown) {
    int place = row.size - 1;
    while (place >= 0 && row.coarse[place] > unknown) {
        place--;
    }
    if (place >= 0 && row.coarse[place] == unknown) {
        return;
    }
    for (int moved = row.size; moved > place + 1; moved--) {
        row.coarse[moved] = row.coarse[moved - 1];
    }
    row.coarse[place + 1] = unknown;
    row.size++;
}

// Finds the C unknowns that i or one of its strong F neighbours depends on.
__device__ __forceinline__ void reach(const Arguments& a, int i, Row& row) {
    for (int k = a.b.offsets[i]; k < a.b.offsets[i + 1]; k++) {
        const int neighbour = a.b.columns[k];
        if (a.lengths[neighbour] == COARSE) {
            addCoarse(row, neighbour);
            continue;
        }
        for (int l = a.b.offsets[neighbour]; l < a.b.offsets[neighbour + 1]; l++) {
            if (a.lengths[a.b.columns[l]] == COARSE) {
                addCoarse(row, a.b.columns[l]);
            }
        }
    }
}

// Moves on to a column or behind where it would be; columns come in order. Returns whether it is there.
__device__ __forceinline__ bool advance(const int* columns, int end, int column, int& at) {
    while (at < end && columns[at] < column) {
        at++;
    }
    return at < end && columns[at] == column;
}

// The value if its sign is not that of the diagonal, which x has.
__device__ __forceinline__ double opposite(const Arguments& a, int row, double value) {
    return value * a.x[row] < 0 ? value : 0.0;
}

// Distributes the coupling of i to a strong F neighbour; returns what falls back on i.
__device__ __forceinline__ double through(const Arguments& a, int i, int n, double value, const Row& row) {
    const int from = a.a.offsets[n];
    const int to = a.a.offsets[n + 1];
    double sum = 0;
    int at = 0;
    for (int l = from; l < to; l++) {
        const int j = a.a.columns[l];
        if (advance(row.coarse, row.size, j, at) || j == i) {
            sum += opposite(a, n, a.a.values[l]);
        }
    }
    if (sum == 0) {
        return value;
    }
    double back = 0;
    at = 0;
    for (int l = from; l < to; l++) {
        const int j = a.a.columns[l];
        const bool there = advance(row.coarse, row.size, j, at);
        if (j == i) {
            back = value * opposite(a, n, a.a.values[l]) / sum;
        } else if (there) {
            row.sums[at] += value * opposite(a, n, a.a.values[l]) / sum;
        }
    }
    return back;
}

// Sums up the numerators; returns the denominator.
__device__ __forceinline__ double distribute(const Arguments& a, int i, const Row& row) {
    double d = a.x[i];
    int at = 0;
    int strong = a.b.offsets[i];
    const int strongEnd = a.b.offsets[i + 1];
    for (int k = a.a.offsets[i]; k < a.a.offsets[i + 1]; k++) {
        const int n = a.a.columns[k];
        const double value = a.a.values[k];
        if (n == i || !isSame(a, i, n)) {
            continue;
        }
        if (advance(row.coarse, row.size, n, at)) {
            row.sums[at] += value;
        } else if (advance(a.b.columns, strongEnd, n, strong)) {
            d += through(a, i, n, value, row);
        } else {
            d += value;
        }
    }
    return d;
}

// Moves weight k to its place among the greatest kept so far, the one of the lower column first of equal ones; returns
// how many are kept then.
__device__ __forceinline__ int keep(Row& row, int k, int kept, int most) {
    const int column = row.coarse[k];
    const double weight = row.sums[k];
    int to = kept;
    while (to > 0 && (fabs(weight) > fabs(row.sums[to - 1])
            || (fabs(weight) == fabs(row.sums[to - 1]) && column < row.coarse[to - 1]))) {
        to--;
    }
    if (to >= most) {
        return kept;
    }
    const int end = min(kept, most - 1);
    for (int moved = end; moved > to; moved--) {
        row.coarse[moved] = row.coarse[moved - 1];
        row.sums[moved] = row.sums[moved - 1];
    }
    row.coarse[to] = column;
    row.sums[to] = weight;
    return end + 1;
}

// Keeps the greatest weights, at most so many, scaled so that their sum stays, in the order of their columns.
__device__ __forceinline__ void truncate(Row& row, int most, double share) {
    double all = 0;
    double greatest = 0;
    for (int k = 0; k < row.size; k++) {
        const double size = fabs(row.sums[k]);
        all += row.sums[k];
        greatest = !(size <= greatest) && greatest == greatest ? size : greatest;
    }
    int kept = 0;
    for (int k = 0; k < row.size; k++) {
        if (row.sums[k] != 0 && fabs(row.sums[k]) >= share * greatest) {
            kept = keep(row, k, kept, most);
        }
    }
    double left = 0;
    for (int k = 0; k < kept; k++) {
        left += row.sums[k];
    }
    const double factor = left == 0 ? 1.0 : all / left;
    for (int k = 0; k < kept; k++) {
        const int column = row.coarse[k];
        const double weight = factor * row.sums[k];
        int to = k;
        for (; to > 0 && row.coarse[to - 1] > column; to--) {
            row.coarse[to] = row.coarse[to - 1];
            row.sums[to] = row.sums[to - 1];
        }
        row.coarse[to] = column;
        row.sums[to] = weight;
    }
    row.size = kept;
}

// Rows of the interpolation in scratch memory: C unknowns in more, weights in z, from counts on. a is the matrix, b its
// strong couplings, x its diagonal, lengths the states, list the components; size is the most weights a row keeps, alpha the
// share of the greatest below which one is dropped. columns gets how many there are.
extern "C" __global__ void __launch_bounds__(THREADS) interpolate(const __grid_constant__ Arguments a) {
    const int i = item();
    if (i >= a.rows) {
        return;
    }
    Row row = {a.more + a.counts[i], a.z + a.counts[i], 0};
    if (a.lengths[i] == COARSE) {
        row.coarse[0] = i;
        row.sums[0] = 1;
        row.size = 1;
    } else {
        reach(a, i, row);
        for (int k = 0; k < row.size; k++) {
            row.sums[k] = 0;
        }
        const double d = distribute(a, i, row);
        for (int k = 0; k < row.size; k++) {
            row.sums[k] = d == 0 ? 0.0 : -row.sums[k] / d;
        }
        truncate(row, a.size, a.alpha);
    }
    a.columns[i] = row.size;
}

// Moves rows of the interpolation together: list has the numbers of unknowns on the next level.
extern "C" __global__ void __launch_bounds__(THREADS) copyWeights(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows) {
        const int from = a.counts[row];
        const int to = a.offsets[row];
        for (int k = 0; k < a.offsets[row + 1] - to; k++) {
            a.columns[to + k] = a.list[a.more[from + k]];
            a.values[to + k] = (REAL) a.z[from + k];
        }
    }
}

// Says in counts[0] when offsets of a and b differ (list is null), or else columns; rows is how many are compared.
extern "C" __global__ void __launch_bounds__(THREADS) comparePatterns(const __grid_constant__ Arguments a) {
    const int i = item();
    if (i < a.rows && (a.size == 0 ? a.a.offsets[i] != a.b.offsets[i] : a.a.columns[i] != a.b.columns[i])) {
        a.counts[0] = 1;
    }
}

// What multigrid by aggregation needs beside matrix algebra: which couplings are strong, aggregates around an independent
// set, prolongators, and the spectral radius. One thread for each row or node unless said otherwise. The order of all
// sums is that of the set-up on the host.
#include "arguments.cuh"

#define NONE (-1)
#define FREE (-2)
#define UNDECIDED 1
#define IN 2
#define OUT 0
#define SEED 1998LL
#define TOP (1LL << 62)
#define CHUNK 1024
#define SLAB (8 * THREADS)

// The sign of couplings and the greatest of each row times theta (alpha); x gets signs, y limits. Rows whose couplings
// amount to less than a share (beta) of their diagonal have an infinite limit: none is strong.
extern "C" __global__ void __launch_bounds__(THREADS) limits(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows) {
        double diagonal = 0;
        double greatest = 0;
        double least = 0;
        double above = 0;
        double below = 0;
        for (int k = a.a.offsets[row]; k < a.a.offsets[row + 1]; k++) {
            const double value = a.a.values[k];
            if (a.a.columns[k] == row) {
                diagonal = value;
            } else {
                greatest = fmax(greatest, value);
                least = fmin(least, value);
                above += fmax(0.0, value);
                below -= fmin(0.0, value);
            }
        }
        const double sign = diagonal < 0 ? 1 : -1;
        const double sum = diagonal < 0 ? above : below;
        a.x[row] = sign;
        a.y[row] = sum < a.beta * fabs(diagonal) ? __longlong_as_double(0x7ff0000000000000LL) : a.alpha * (diagonal < 0 ? greatest : -least);
    }
}

// Counts couplings that are not 0 (keys[0]) and those that are strong for both (keys[1]).
extern "C" __global__ void __launch_bounds__(THREADS) countWeak(const __grid_constant__ Arguments a) {
    __shared__ unsigned long long all;
    __shared__ unsigned long long kept;
    if (threadIdx.x == 0) {
        all = 0;
        kept = 0;
    }
    __syncthreads();
    const int row = item();
    int here = 0;
    int strong = 0;
    if (row < a.rows) {
        for (int k = a.a.offsets[row]; k < a.a.offsets[row + 1]; k++) {
            const int column = a.a.columns[k];
            const double value = a.a.values[k];
            const double coupling = a.x[row] * value;
            here += column != row && value != 0;
            strong += column != row && coupling > 0 && coupling * coupling >= a.y[row] * a.y[column];
        }
    }
    atomicAdd(&all, (unsigned long long) here);
    atomicAdd(&kept, (unsigned long long) strong);
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd((unsigned long long*) a.keys, all);
        atomicAdd((unsigned long long*) a.keys + 1, kept);
    }
}

// The state, then the weight, then the index (IndependentSets.key).
__device__ __forceinline__ long long keyOf(int state, int row) {
    if (state == OUT) {
        return 0;
    }
    unsigned long long mixed = (unsigned long long) (row + SEED) * 0x9E3779B97F4A7C15ULL;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9ULL;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBULL;
    const long long weight = (long long) (mixed >> 34);
    return (state == IN ? TOP : 0) | (((weight << 31) | row) + 1);
}

// The greatest key of a row and its neighbours, whose states are in list.
extern "C" __global__ void __launch_bounds__(THREADS) spreadOnce(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows) {
        long long greatest = keyOf(a.list[row], row);
        for (int k = a.a.offsets[row]; k < a.a.offsets[row + 1]; k++) {
            const int column = a.a.columns[k];
            const long long key = keyOf(a.list[column], column);
            greatest = key > greatest ? key : greatest;
        }
        a.keys[row] = greatest;
    }
}

// The same one step further, and what follows for the row: more gets its next state, counts[0] the undecided ones.
extern "C" __global__ void __launch_bounds__(THREADS) decide(const __grid_constant__ Arguments a) {
    __shared__ int left;
    if (threadIdx.x == 0) {
        left = 0;
    }
    __syncthreads();
    const int row = item();
    if (row < a.rows) {
        int state = a.list[row];
        if (state == UNDECIDED) {
            long long greatest = a.keys[row];
            for (int k = a.a.offsets[row]; k < a.a.offsets[row + 1]; k++) {
                const long long key = a.keys[a.a.columns[k]];
                greatest = key > greatest ? key : greatest;
            }
            state = greatest == keyOf(UNDECIDED, row) ? IN : greatest >= TOP ? OUT : UNDECIDED;
            if (state == UNDECIDED) {
                atomicAdd(&left, 1);
            }
        }
        a.more[row] = state;
    }
    __syncthreads();
    if (threadIdx.x == 0 && left > 0) {
        atomicAdd(a.counts, left);
    }
}

// Sets integers to size.
extern "C" __global__ void __launch_bounds__(THREADS) fillIntegers(const __grid_constant__ Arguments a) {
    const int i = item();
    if (i < a.rows) {
        a.list[i] = a.size;
    }
}

__device__ __forceinline__ bool isAlone(const Arguments& a, int node) {
    const int start = a.a.offsets[node];
    const int length = a.a.offsets[node + 1] - start;
    return length == 0 || (length == 1 && a.a.columns[start] == node);
}

// Which nodes begin an aggregate, as lengths of 1, from states in list.
extern "C" __global__ void __launch_bounds__(THREADS) beginners(const __grid_constant__ Arguments a) {
    const int node = item();
    if (node < a.rows) {
        a.lengths[node] = a.list[node] == IN && !isAlone(a, node);
    }
}

// The aggregates of those that begin them, whose numbers are in offsets; others are free, or alone and in none.
extern "C" __global__ void __launch_bounds__(THREADS) firstMembers(const __grid_constant__ Arguments a) {
    const int node = item();
    if (node < a.rows) {
        a.more[node] = isAlone(a, node) ? NONE : a.list[node] == IN ? a.offsets[node] : FREE;
    }
}

// Which free nodes begin an aggregate in the second phase, as lengths of 1: those of the set (states in list) with two
// neighbours or more; more has the aggregates so far.
extern "C" __global__ void __launch_bounds__(THREADS) laterBeginners(const __grid_constant__ Arguments a) {
    const int node = item();
    if (node < a.rows) {
        int neighbours = 0;
        for (int k = a.a.offsets[node]; k < a.a.offsets[node + 1]; k++) {
            neighbours += a.a.columns[k] != node;
        }
        a.lengths[node] = a.more[node] == FREE && a.list[node] == IN && neighbours >= 2;
    }
}

// Their aggregates are numbered from size on.
extern "C" __global__ void __launch_bounds__(THREADS) laterMembers(const __grid_constant__ Arguments a) {
    const int node = item();
    if (node < a.rows) {
        a.more[node] = a.lengths[node] == 1 ? a.size + a.offsets[node] : a.list[node];
    }
}

// The aggregate of the neighbour to which the coupling is greatest, the first of several, or FREE.
__device__ __forceinline__ int strongest(const Arguments& a, int node) {
    int found = FREE;
    double greatest = -1;
    for (int k = a.a.offsets[node]; k < a.a.offsets[node + 1]; k++) {
        const int there = a.list[a.a.columns[k]];
        const double coupling = fabs((double) a.a.values[k]);
        if (there >= 0 && coupling > greatest) {
            found = there;
            greatest = coupling;
        }
    }
    return found;
}

// Lets free nodes (size is FREE) or those in none (NONE) join; list has the aggregates before, more gets them after.
extern "C" __global__ void __launch_bounds__(THREADS) join(const __grid_constant__ Arguments a) {
    const int node = item();
    if (node < a.rows) {
        const int before = a.list[node];
        const int found = before == a.size ? strongest(a, node) : before;
        a.more[node] = a.size == NONE && found == FREE ? NONE : found;
    }
}

// Counts the members of aggregates in lengths and nodes in none in counts[0]; list has the aggregates.
extern "C" __global__ void __launch_bounds__(THREADS) countMembers(const __grid_constant__ Arguments a) {
    const int node = item();
    if (node < a.rows) {
        const int aggregate = a.list[node];
        if (aggregate >= 0) {
            atomicAdd(&a.lengths[aggregate], 1);
        } else {
            atomicAdd(a.counts, 1);
        }
    }
}

// Puts nodes into their aggregates, in an order that is open; more has where the next one goes.
extern "C" __global__ void __launch_bounds__(THREADS) scatterMembers(const __grid_constant__ Arguments a) {
    const int node = item();
    if (node < a.rows) {
        const int aggregate = a.list[node];
        if (aggregate >= 0) {
            a.columns[atomicAdd(&a.more[aggregate], 1)] = node;
        }
    }
}

// The tentative prolongator of one vector (x): its values divided by their length on each aggregate, whose members are in
// b. more gets the column of each row, vector its value, y the vector on the next level. Rows are aggregates.
extern "C" __global__ void __launch_bounds__(THREADS) tentative(const __grid_constant__ Arguments a) {
    const int aggregate = item();
    if (aggregate < a.rows) {
        const int from = a.b.offsets[aggregate];
        const int to = a.b.offsets[aggregate + 1];
        double sum = 0;
        for (int k = from; k < to; k++) {
            const double element = a.x[a.b.columns[k]];
            sum += element * element;
        }
        const double length = sqrt(sum);
        for (int k = from; k < to; k++) {
            const int node = a.b.columns[k];
            const double element = length > 0 ? a.x[node] / length : 0.0;
            a.more[node] = element == 0 ? NONE : aggregate;
            a.vector[node] = (REAL) element;
        }
        a.y[aggregate] = length;
    }
}

// How many entries rows of the tentative prolongator have: 0 or 1.
extern "C" __global__ void __launch_bounds__(THREADS) countTentative(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows) {
        a.lengths[row] = a.list[row] >= 0;
    }
}

// The tentative prolongator as a matrix.
extern "C" __global__ void __launch_bounds__(THREADS) fillTentative(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows && a.list[row] >= 0) {
        a.columns[a.offsets[row]] = a.list[row];
        a.values[a.offsets[row]] = a.vector[row];
    }
}

// Rows of the smoothed prolongator in scratch memory, from entry offsets of a plus the row's number on: columns in more,
// sums in z. list and vector are the tentative prolongator, x the factors. lengths gets how many there are.
extern "C" __global__ void __launch_bounds__(THREADS) smoothRows(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row >= a.rows) {
        return;
    }
    const int start = a.a.offsets[row];
    const int end = a.a.offsets[row + 1];
    int* const columns = a.more + start + (long long) row;
    double* const sums = a.z + start + (long long) row;
    int size = 0;
    if (a.list[row] >= 0) {
        columns[0] = a.list[row];
        sums[0] = a.vector[row];
        size = 1;
    }
    const double factor = -a.x[row];
    for (int k = start; k < end; k++) {
        const int inner = a.a.columns[k];
        const int column = a.list[inner];
        if (column < 0) {
            continue;
        }
        const double term = factor * (double) a.a.values[k] * (double) a.vector[inner];
        int place = size - 1;
        while (place >= 0 && columns[place] > column) {
            place--;
        }
        if (place >= 0 && columns[place] == column) {
            sums[place] += term;
        } else {
            for (int moved = size; moved > place + 1; moved--) {
                columns[moved] = columns[moved - 1];
                sums[moved] = sums[moved - 1];
            }
            columns[place + 1] = column;
            sums[place + 1] = term;
            size++;
        }
    }
    a.lengths[row] = size;
}

// Values of a smoothed prolongator whose columns are there (offsets, columns), added up in the order in which smoothRows
// meets the terms; in z where values are floats. Sums begin with -0, to which any term adds up to itself.
extern "C" __global__ void __launch_bounds__(THREADS) smoothAgain(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row >= a.rows) {
        return;
    }
    const int from = a.offsets[row];
    const int to = a.offsets[row + 1];
    double* const sums = sizeof(REAL) == sizeof(double) ? (double*) a.values : a.z;
    for (int k = from; k < to; k++) {
        sums[k] = -0.0;
    }
    if (a.list[row] >= 0) {
        sums[placeOf(a.columns, from, to, a.list[row])] = a.vector[row];
    }
    const double factor = -a.x[row];
    for (int k = a.a.offsets[row]; k < a.a.offsets[row + 1]; k++) {
        const int inner = a.a.columns[k];
        const int column = a.list[inner];
        if (column >= 0) {
            const int place = placeOf(a.columns, from, to, column);
            if (place >= 0) {
                sums[place] += factor * (double) a.a.values[k] * (double) a.vector[inner];
            }
        }
    }
    for (int k = from; k < to && sizeof(REAL) < sizeof(double); k++) {
        a.values[k] = (REAL) sums[k];
    }
}

// Moves the rows of the smoothed prolongator together.
extern "C" __global__ void __launch_bounds__(THREADS) copySmoothed(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows) {
        const long long from = a.a.offsets[row] + (long long) row;
        const int to = a.offsets[row];
        for (int k = 0; k < a.offsets[row + 1] - to; k++) {
            a.columns[to + k] = a.more[from + k];
            a.values[to + k] = (REAL) a.z[from + k];
        }
    }
}

// Values of a matrix with weak couplings on the diagonal (FilteredMatrix); b has the strong ones, x the near null space.
extern "C" __global__ void __launch_bounds__(THREADS) filterWeak(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row >= a.rows) {
        return;
    }
    int next = a.b.offsets[row];
    const int last = a.b.offsets[row + 1];
    int diagonalAt = -1;
    double diagonal = 0;
    double sum = 0;
    double kept = 0;
    for (int k = a.a.offsets[row]; k < a.a.offsets[row + 1]; k++) {
        const int column = a.a.columns[k];
        const double value = a.a.values[k];
        const double product = value * a.x[column];
        sum += product;
        if (next < last && a.b.columns[next] == column) {
            if (column == row) {
                diagonalAt = next;
                diagonal = value;
            } else {
                kept += product;
            }
            a.values[next++] = (REAL) value;
        }
    }
    const double here = a.x[row];
    if (diagonalAt >= 0 && kept != 0 && here != 0) {
        a.values[diagonalAt] = (REAL) (((sum / here * diagonal > 0 ? sum : 0) - kept) / here);
    }
}

// Counts rows that are empty in a or b in counts[0]; lengths get 1 for them, else 0.
extern "C" __global__ void __launch_bounds__(THREADS) countEmpty(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows) {
        const int empty = a.a.offsets[row] == a.a.offsets[row + 1] || a.b.offsets[row] == a.b.offsets[row + 1];
        a.lengths[row] = empty;
        if (empty) {
            atomicAdd(a.counts, 1);
        }
    }
}

// Puts 1 on the diagonal of rows of one entry.
extern "C" __global__ void __launch_bounds__(THREADS) fillOnes(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows && a.offsets[row] < a.offsets[row + 1]) {
        a.columns[a.offsets[row]] = row;
        a.values[a.offsets[row]] = REAL(1);
    }
}

// Inverses of the diagonal, 0 for what has none, to x, and the roots of their absolute values to y.
extern "C" __global__ void __launch_bounds__(THREADS) invertDiagonal(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows) {
        const int place = placeOf(a.a.columns, a.a.offsets[row], a.a.offsets[row + 1], row);
        const double inverse = 1 / (place < 0 ? 0.0 : (double) a.a.values[place]);
        const double finite = fabs(inverse) <= 1.7976931348623157e308 ? inverse : 0.0;
        a.x[row] = finite;
        a.y[row] = sqrt(fabs(finite));
    }
}

// The diagonal, 0 where there is none, to x.
extern "C" __global__ void __launch_bounds__(THREADS) diagonalOf(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows) {
        const int place = placeOf(a.a.columns, a.a.offsets[row], a.a.offsets[row + 1], row);
        a.x[row] = place < 0 ? 0.0 : (double) a.a.values[place];
    }
}

// Multiplies x by alpha.
extern "C" __global__ void __launch_bounds__(THREADS) scaleVector(const __grid_constant__ Arguments a) {
    const int i = item();
    if (i < a.rows) {
        a.x[i] *= a.alpha;
    }
}

// Sets x to alpha.
extern "C" __global__ void __launch_bounds__(THREADS) fillVector(const __grid_constant__ Arguments a) {
    const int i = item();
    if (i < a.rows) {
        a.x[i] = a.alpha;
    }
}

// Numbers from -1 to 1 as java.util.SplittableRandom draws them; size is the seed, and first
// vectors were drawn before.
extern "C" __global__ void __launch_bounds__(THREADS) randomVector(const __grid_constant__ Arguments a) {
    const int i = item();
    if (i < a.rows) {
        unsigned long long z = (unsigned long long) a.size
                + 0x9E3779B97F4A7C15ULL * ((unsigned long long) i + 1 + (unsigned long long) a.first * a.rows);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        z = z ^ (z >> 31);
        const double unit = (double) (z >> 11) * 1.1102230246251565e-16;
        a.x[i] = unit * 2.0 + -1.0;
    }
}

// Adds the THREADS numbers of a block by halves; each is the sum of every THREADS-th number of a chunk.
__device__ __forceinline__ double chunkSum(double own) {
    __shared__ double sums[THREADS];
    sums[threadIdx.x] = own;
    __syncthreads();
    for (unsigned half = THREADS / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            sums[threadIdx.x] += sums[threadIdx.x + half];
        }
        __syncthreads();
    }
    return sums[0];
}

// One step's first half: y = S A (S v) / |v| and the sums of v y of each chunk, a block a chunk. x is S v, z is v, values
// of the scale are in scalars' place: others points to S, keys to the sums of chunks. scalars[0] is |v|.
extern "C" __global__ void __launch_bounds__(THREADS) lanczosProduct(const __grid_constant__ Arguments a) {
    __shared__ double terms[SLAB];
    const double* const scale = (const double*) a.others;
    double* const sums = (double*) a.keys;
    const double length = a.scalars == nullptr ? 1.0 : a.scalars[a.first];
    const int end = min(a.rows, (int) (blockIdx.x + 1) * CHUNK);
    double own = 0;
    for (int base = blockIdx.x * CHUNK; base < end; base += THREADS) {
        const int row = base + threadIdx.x;
        const int start = row < end ? a.a.offsets[row] : 0;
        const int stop = row < end ? a.a.offsets[row + 1] : 0;
        const int from = a.a.offsets[base];
        const int to = a.a.offsets[min(base + THREADS, end)];
        double sum = 0;
        // Terms are formed by all threads in the order of memory, and added up by each row's own.
        for (int slab = from; slab < to; slab += SLAB) {
            for (int k = slab + threadIdx.x; k < to && k < slab + SLAB; k += THREADS) {
                terms[k - slab] = (double) a.a.values[k] * a.x[a.a.columns[k]];
            }
            __syncthreads();
            for (int k = max(start, slab); k < stop && k < slab + SLAB; k++) {
                sum += terms[k - slab];
            }
            __syncthreads();
        }
        if (row < end) {
            const double element = a.scalars == nullptr ? scale[row] * sum : scale[row] * sum / length;
            a.y[row] = element;
            own += a.z[row] * element;
        }
    }
    const double total = chunkSum(own);
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = a.scalars == nullptr ? total : total / length;
    }
}

// The second half: takes multiples of v (z) and of the one before (vector's place: others) from y, and x = S y; keys gets
// the sums of squares of chunks. scalars: [first] |v|, [first - 1] that of the one before, [last] the product.
extern "C" __global__ void __launch_bounds__(THREADS) lanczosOrthogonalise(const __grid_constant__ Arguments a) {
    const double* const before = (const double*) a.others;
    const double* const scale = (const double*) a.counts;
    double* const sums = (double*) a.keys;
    const double along = a.scalars[a.last] / a.scalars[a.first];
    const double alongBefore = a.size == 0 ? 0.0 : a.scalars[a.first] / a.scalars[a.first - 1];
    const int end = min(a.rows, (int) (blockIdx.x + 1) * CHUNK);
    double own = 0;
    for (int row = blockIdx.x * CHUNK + threadIdx.x; row < end; row += THREADS) {
        const double element = a.y[row] - (along * a.z[row] + alongBefore * before[row]);
        a.y[row] = element;
        a.x[row] = scale[row] * element;
        own += element * element;
    }
    const double total = chunkSum(own);
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = total;
    }
}

// y = S x, and the sums of the products of x with z of each chunk.
extern "C" __global__ void __launch_bounds__(THREADS) scaleAndDot(const __grid_constant__ Arguments a) {
    const double* const scale = (const double*) a.others;
    double* const sums = (double*) a.keys;
    const int end = min(a.rows, (int) (blockIdx.x + 1) * CHUNK);
    double own = 0;
    for (int row = blockIdx.x * CHUNK + threadIdx.x; row < end; row += THREADS) {
        if (scale != nullptr) {
            a.y[row] = scale[row] * a.x[row];
        }
        own += a.x[row] * a.z[row];
    }
    const double total = chunkSum(own);
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = total;
    }
}

// Divides x by alpha.
extern "C" __global__ void __launch_bounds__(THREADS) divideVector(const __grid_constant__ Arguments a) {
    const int i = item();
    if (i < a.rows) {
        a.x[i] /= a.alpha;
    }
}

// Adds the sums of size chunks (keys) one after the other into scalars[first], the root of it if last is 1. One block.
extern "C" __global__ void __launch_bounds__(THREADS) addChunks(const __grid_constant__ Arguments a) {
    __shared__ double tile[THREADS];
    const double* const sums = (const double*) a.keys;
    double total = 0;
    for (int base = 0; base < a.size; base += THREADS) {
        const int at = base + threadIdx.x;
        tile[threadIdx.x] = at < a.size ? sums[at] : 0.0;
        __syncthreads();
        if (threadIdx.x == 0) {
            const int count = min(THREADS, a.size - base);
            for (int k = 0; k < count; k++) {
                total += tile[k];
            }
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        a.scalars[a.first] = a.last == 1 ? sqrt(total) : total;
    }
}

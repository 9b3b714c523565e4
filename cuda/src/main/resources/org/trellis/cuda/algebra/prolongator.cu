// Prolongators of multigrid by aggregation, and what the next level needs beside matrix algebra. One thread for each row
// unless said otherwise. The order of all sums is that of the set-up on the host.
#include "arguments.cuh"

#define NONE (-1)
#define SLOTS 8
#define SLAB (4 * THREADS)
#define WARP 32
#define PARTS 4
#define FULL 0xffffffffu
// Threads that move a row.
#define MOVERS 4

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

// The entries of a row of the smoothed prolongator, as they are met: columns in registers, sums in shared memory, THREADS
// apart. The first column is the tentative prolongator's.
struct SmoothedRow {
    int columns[SLOTS];
    double* sums;
    int size;

    // Adds a term to the entry of a column; false if there is none and no room for one.
    __device__ __forceinline__ bool add(int column, double term) {
        int place = SLOTS;
#pragma unroll
        for (int k = 0; k < SLOTS; k++) {
            place = k < size && columns[k] == column ? k : place;
        }
        if (place < SLOTS) {
            sums[place * THREADS] += term;
            return true;
        }
        if (size == SLOTS) {
            return false;
        }
#pragma unroll
        for (int k = 0; k < SLOTS; k++) {
            columns[k] = k == size ? column : columns[k];
        }
        sums[size++ * THREADS] = term;
        return true;
    }

    // Writes the entries in the order of their columns.
    __device__ __forceinline__ void write(int* toColumns, double* toSums) const {
#pragma unroll
        for (int k = 0; k < SLOTS; k++) {
            int place = 0;
#pragma unroll
            for (int other = 0; other < SLOTS; other++) {
                place += other < size && columns[other] < columns[k];
            }
            if (k < size) {
                toColumns[place] = columns[k];
                toSums[place] = sums[k * THREADS];
            }
        }
    }
};

// Adds a term to the entry of a column of a sorted row in the device's memory; returns the new number of entries.
__device__ __forceinline__ int addSorted(int column, double term, int* columns, double* sums, int size) {
    int place = size - 1;
    while (place >= 0 && columns[place] > column) {
        place--;
    }
    if (place >= 0 && columns[place] == column) {
        sums[place] += term;
        return size;
    }
    for (int moved = size; moved > place + 1; moved--) {
        columns[moved] = columns[moved - 1];
        sums[moved] = sums[moved - 1];
    }
    columns[place + 1] = column;
    sums[place + 1] = term;
    return size + 1;
}

// Rows of the smoothed prolongator in scratch memory, from entry offsets of a plus the row's number on: columns in more,
// sums in z. list and vector are the tentative prolongator, x the factors. lengths gets how many there are. The entries of a
// block's rows are loaded by all threads in the order of memory.
extern "C" __global__ void __launch_bounds__(THREADS) smoothRows(const __grid_constant__ Arguments a) {
    __shared__ double rowSums[SLOTS * THREADS];
    __shared__ int aggregates[SLAB];
    __shared__ REAL values[SLAB];
    __shared__ REAL weights[SLAB];
    const int base = blockIdx.x * THREADS;
    const int row = item();
    const bool inside = row < a.rows;
    const int start = inside ? a.a.offsets[row] : 0;
    const int end = inside ? a.a.offsets[row + 1] : 0;
    const int to = a.a.offsets[min(base + THREADS, a.rows)];
    int* const columns = a.more + start + (long long) row;
    double* const sums = a.z + start + (long long) row;
    SmoothedRow smoothed = {{}, rowSums + threadIdx.x, 0};
    if (inside && a.list[row] >= 0) {
        smoothed.add(a.list[row], a.vector[row]);
    }
    const double factor = inside ? -a.x[row] : 0.0;
    int size = 0; // of the row in the device's memory, once it is there
    for (int slab = a.a.offsets[base]; slab < to; slab += SLAB) {
        const int stop = min(to, slab + SLAB);
        for (int k = slab + threadIdx.x; k < stop; k += THREADS) {
            const int inner = a.a.columns[k];
            values[k - slab] = a.a.values[k];
            aggregates[k - slab] = a.list[inner];
            weights[k - slab] = a.vector[inner];
        }
        __syncthreads();
        for (int k = max(start, slab); k < min(end, stop); k++) {
            const int column = aggregates[k - slab];
            if (column < 0) {
                continue;
            }
            const double term = factor * (double) values[k - slab] * (double) weights[k - slab];
            if (size == 0 && smoothed.add(column, term)) {
                continue;
            }
            if (size == 0) {
                smoothed.write(columns, sums);
                size = SLOTS;
            }
            size = addSorted(column, term, columns, sums, size);
        }
        __syncthreads();
    }
    if (inside) {
        if (size == 0) {
            smoothed.write(columns, sums);
        }
        a.lengths[row] = max(size, smoothed.size);
    }
}

// The entries of a row of the smoothed prolongator by a warp: each thread holds the columns and sums of every 32nd entry, as
// they are met.
struct WarpRow {
    int columns[PARTS];
    double sums[PARTS];
    int size;

    // Adds a term, the same for all threads; false if there is no room for its column.
    __device__ __forceinline__ bool add(int column, double term) {
        bool found = false;
#pragma unroll
        for (int p = 0; p < PARTS; p++) {
            if (p * WARP < size) {
                const bool here = columns[p] == column;
                sums[p] = here ? sums[p] + term : sums[p];
                found |= here;
            }
        }
        if (__any_sync(FULL, found)) {
            return true;
        }
        if (size == PARTS * WARP) {
            return false;
        }
#pragma unroll
        for (int p = 0; p < PARTS; p++) {
            const bool here = size == p * WARP + (int) (threadIdx.x % WARP);
            columns[p] = here ? column : columns[p];
            sums[p] = here ? term : sums[p];
        }
        size++;
        return true;
    }

    // Writes the entries in the order of their columns.
    __device__ __forceinline__ void write(int* toColumns, double* toSums) const {
        int places[PARTS] = {};
#pragma unroll
        for (int p = 0; p < PARTS; p++) {
            // Unrolled, it is most of the code of this file, and three quarters of the time that it takes to compile.
#pragma unroll 1
            for (int other = 0; other < WARP && p * WARP + other < size; other++) {
                const int column = __shfl_sync(FULL, columns[p], other);
#pragma unroll
                for (int q = 0; q < PARTS; q++) {
                    places[q] += column < columns[q];
                }
            }
        }
#pragma unroll
        for (int p = 0; p < PARTS; p++) {
            if (p * WARP + (int) (threadIdx.x % WARP) < size) {
                toColumns[places[p]] = columns[p];
                toSums[places[p]] = sums[p];
            }
        }
    }
};

// What smoothRows does, in the same order of terms, by a warp for each row, for rows of many entries.
extern "C" __global__ void __launch_bounds__(THREADS) smoothLongRows(const __grid_constant__ Arguments a) {
    const int row = (int) ((blockIdx.x * (long long) THREADS + threadIdx.x) / WARP);
    if (row >= a.rows) {
        return;
    }
    const int lane = (int) threadIdx.x % WARP;
    const int start = a.a.offsets[row];
    const int end = a.a.offsets[row + 1];
    int* const columns = a.more + start + (long long) row;
    double* const sums = a.z + start + (long long) row;
    WarpRow smoothed;
    smoothed.size = 0;
    for (int p = 0; p < PARTS; p++) {
        smoothed.columns[p] = NONE;
        smoothed.sums[p] = 0;
    }
    if (a.list[row] >= 0) {
        smoothed.add(a.list[row], a.vector[row]);
    }
    const double factor = -a.x[row];
    int size = 0; // of the row in the device's memory, once it is there
    for (int base = start; base < end; base += WARP) {
        int aggregate = NONE;
        double own = 0;
        if (base + lane < end) {
            const int inner = a.a.columns[base + lane];
            aggregate = a.list[inner];
            own = factor * (double) a.a.values[base + lane] * (double) a.vector[inner];
        }
        for (int k = 0; k < min(WARP, end - base); k++) {
            const int column = __shfl_sync(FULL, aggregate, k);
            const double term = __shfl_sync(FULL, own, k);
            if (column < 0 || (size == 0 && smoothed.add(column, term))) {
                continue;
            }
            if (size == 0) {
                smoothed.write(columns, sums);
                size = smoothed.size;
                __syncwarp(FULL);
            }
            if (lane == 0) {
                size = addSorted(column, term, columns, sums, size);
            }
            size = __shfl_sync(FULL, size, 0);
        }
    }
    if (size == 0) {
        smoothed.write(columns, sums);
    }
    if (lane == 0) {
        a.lengths[row] = max(size, smoothed.size);
    }
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

// Moves the rows of the smoothed prolongator together, each by a few threads.
extern "C" __global__ void __launch_bounds__(THREADS) copySmoothed(const __grid_constant__ Arguments a) {
    const int row = (int) ((blockIdx.x * (long long) THREADS + threadIdx.x) / MOVERS);
    if (row < a.rows) {
        const long long from = a.a.offsets[row] + (long long) row;
        const int to = a.offsets[row];
        for (int k = threadIdx.x % MOVERS; k < a.offsets[row + 1] - to; k += MOVERS) {
            a.columns[to + k] = a.more[from + k];
            a.values[to + k] = (REAL) a.z[from + k];
        }
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

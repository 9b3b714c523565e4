// Transposes, sums, filters and slices of matrices in compressed rows, and the scans that place rows. One thread for each
// row or entry unless said otherwise.
#include "arguments.cuh"

#define EACH 8
// Slots of a chunk that a warp moves at a time, and the distance of two in shared memory, by which no two threads that write
// at once share a bank.
#define SLOTS 8
#define STRIDE 36

// A diagonal matrix of the elements of vector, with the end of the last row.
extern "C" __global__ void __launch_bounds__(THREADS) ofDiagonal(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row <= a.rows) {
        a.offsets[row] = row;
        if (row < a.rows) {
            a.columns[row] = row;
            a.values[row] = a.vector[row];
        }
    }
}

// Writes the number of a message to the host (Mailbox) once its contents are there. One thread.
__device__ __forceinline__ void seal(const Arguments& a) {
    __threadfence_system();
    *(volatile int*) a.keys = a.last;
}

// Sends size integers of list to the host: keys is the place of the message, last its number. One block.
extern "C" __global__ void __launch_bounds__(THREADS) sendIntegers(const __grid_constant__ Arguments a) {
    volatile int* const message = (volatile int*) a.keys + 2;
    for (int i = threadIdx.x; i < a.size; i += THREADS) {
        message[i] = a.list[i];
    }
    __threadfence_system();
    __syncthreads();
    if (threadIdx.x == 0) {
        seal(a);
    }
}

// A word of a tile: the number of the scan, whether the sum is of all tiles so far or of this one, and the sum.
#define SUM_BITS 41
#define SUM_MASK ((1ULL << SUM_BITS) - 1)

__device__ __forceinline__ void publish(const Arguments& a, int tile, bool whole, long long sum) {
    const unsigned long long bits = (unsigned long long) sum < SUM_MASK ? (unsigned long long) sum : SUM_MASK;
    *(volatile unsigned long long*) (a.others + 1 + tile) =
            ((unsigned long long) a.size << (SUM_BITS + 1)) | ((unsigned long long) whole << SUM_BITS) | bits;
}

// Waits for the word of a tile.
__device__ __forceinline__ unsigned long long look(const Arguments& a, int tile) {
    const volatile unsigned long long* const word = (const volatile unsigned long long*) (a.others + 1 + tile);
    unsigned long long found = *word;
    while ((int) (found >> (SUM_BITS + 1)) != a.size) {
        found = *word;
    }
    return found;
}

// The sum of all tiles before one, by the threads of a warp, who look at 32 tiles at a time, the nearest first.
__device__ __forceinline__ long long sumBefore(const Arguments& a, int tile) {
    long long sum = 0;
    bool whole = tile == 0;
    for (int at = tile - 1 - (int) threadIdx.x; !whole; at -= 32) {
        const unsigned long long word = at >= 0 ? look(a, at) : 1ULL << SUM_BITS;
        const unsigned wholes = __ballot_sync(0xffffffffu, (word >> SUM_BITS & 1) != 0);
        const int last = wholes == 0 ? 31 : __ffs((int) wholes) - 1;
        long long part = (int) threadIdx.x <= last ? (long long) (word & SUM_MASK) : 0;
        for (int half = 16; half > 0; half /= 2) {
            part += __shfl_xor_sync(0xffffffffu, part, half);
        }
        sum += part;
        whole = wholes != 0;
    }
    return sum;
}

// Adds up lengths: offsets gets the sum of those before each row, and that of all at the end, which is sent to the host
// as well (keys, last), with two counts if there are some. One pass (D. Merrill, M. Garland, NVR-2016-002): a block draws a ticket, which is a tile after
// first, publishes its sum and adds up those before. others has the ticket and the words, size is the scan's number.
extern "C" __global__ void __launch_bounds__(THREADS) scan(const __grid_constant__ Arguments a) {
    __shared__ long long sums[THREADS];
    __shared__ long long before;
    __shared__ int drawn;
    if (threadIdx.x == 0) {
        drawn = (int) ((unsigned) atomicAdd((int*) a.others, 1) - (unsigned) a.first);
    }
    __syncthreads();
    const int tile = drawn;
    const int first = (tile * THREADS + (int) threadIdx.x) * EACH;
    int lengths[EACH];
    long long own = 0;
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        lengths[k] = first + k < a.rows ? a.lengths[first + k] : 0;
        own += lengths[k];
    }
    sums[threadIdx.x] = own;
    __syncthreads();
    for (int distance = 1; distance < THREADS; distance *= 2) {
        const long long left = (int) threadIdx.x >= distance ? sums[threadIdx.x - distance] : 0;
        __syncthreads();
        sums[threadIdx.x] += left;
        __syncthreads();
    }
    if (threadIdx.x < 32) {
        const long long ofTile = sums[THREADS - 1];
        if (threadIdx.x == 0) {
            publish(a, tile, tile == 0, ofTile);
        }
        const long long sum = sumBefore(a, tile);
        if (threadIdx.x == 0) {
            if (tile > 0) {
                publish(a, tile, true, sum + ofTile);
            }
            before = sum;
        }
    }
    __syncthreads();
    long long start = before + sums[threadIdx.x] - own;
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        if (first + k < a.rows) {
            a.offsets[first + k] = (int) start;
        }
        start += lengths[k];
    }
    if (threadIdx.x == THREADS - 1 && tile == (int) gridDim.x - 1) {
        a.offsets[a.rows] = (int) start;
        volatile int* const message = (volatile int*) a.keys + 2;
        message[0] = (int) start;
        message[1] = (int) (start >> 32);
        if (a.counts != nullptr) {
            message[2] = a.counts[0];
            message[3] = a.counts[1];
        }
        seal(a);
    }
}

// Counts the entries of columns; size is the number of entries.
extern "C" __global__ void __launch_bounds__(THREADS) countColumns(const __grid_constant__ Arguments a) {
    const int k = item();
    if (k < a.size) {
        atomicAdd(&a.lengths[a.a.columns[k]], 1);
    }
}

// Puts each entry's row into the row of the transpose, in an order that is open; list has where the next one goes.
extern "C" __global__ void __launch_bounds__(THREADS) scatterRows(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows) {
        for (int k = a.a.offsets[row]; k < a.a.offsets[row + 1]; k++) {
            a.columns[atomicAdd(&a.list[a.a.columns[k]], 1)] = row;
        }
    }
}

// Collects rows of the result with more than first entries in a list.
extern "C" __global__ void __launch_bounds__(THREADS) longRows(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows && a.offsets[row + 1] - a.offsets[row] > a.first) {
        a.list[atomicAdd(a.counts, 1)] = row;
    }
}

// Values of a transpose b whose structure is there: rows are those of the transpose. counts[0], if there is one, says
// when an entry is missing. Eight threads a row.
extern "C" __global__ void __launch_bounds__(THREADS) transposeValues(const __grid_constant__ Arguments a) {
    const int row = (int) ((blockIdx.x * (long long) THREADS + threadIdx.x) / 8);
    if (row < a.rows) {
        for (int k = a.b.offsets[row] + threadIdx.x % 8; k < a.b.offsets[row + 1]; k += 8) {
            const int from = a.b.columns[k];
            const int place = placeOf(a.a.columns, a.a.offsets[from], a.a.offsets[from + 1], row);
            if (place < 0) {
                if (a.counts != nullptr) {
                    a.counts[0] = 1;
                }
            } else {
                a.values[k] = a.a.values[place];
            }
        }
    }
}

// Counts the entries of the rows of a sum.
extern "C" __global__ void __launch_bounds__(THREADS) countUnion(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows) {
        int i = a.a.offsets[row];
        int j = a.b.offsets[row];
        const int iEnd = a.a.offsets[row + 1];
        const int jEnd = a.b.offsets[row + 1];
        int length = iEnd - i + jEnd - j;
        while (i < iEnd && j < jEnd) {
            const int inA = a.a.columns[i];
            const int inB = a.b.columns[j];
            length -= inA == inB;
            i += inA <= inB;
            j += inB <= inA;
        }
        a.lengths[row] = length;
    }
}

// alpha A + beta B.
extern "C" __global__ void __launch_bounds__(THREADS) fillUnion(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows) {
        int i = a.a.offsets[row];
        int j = a.b.offsets[row];
        const int iEnd = a.a.offsets[row + 1];
        const int jEnd = a.b.offsets[row + 1];
        int at = a.offsets[row];
        while (i < iEnd || j < jEnd) {
            const int inA = i < iEnd ? a.a.columns[i] : 0x7fffffff;
            const int inB = j < jEnd ? a.b.columns[j] : 0x7fffffff;
            double value;
            if (inA == inB) {
                value = a.alpha * (double) a.a.values[i++] + a.beta * (double) a.b.values[j++];
            } else {
                value = inA < inB ? a.alpha * (double) a.a.values[i++] : a.beta * (double) a.b.values[j++];
            }
            a.columns[at] = inA < inB ? inA : inB;
            a.values[at++] = (REAL) value;
        }
    }
}

// (A + its transpose) / 2 for a pattern that is symmetric; counts[0] says when it is not. Eight threads a row.
extern "C" __global__ void __launch_bounds__(THREADS) symmetrise(const __grid_constant__ Arguments a) {
    const int row = (int) ((blockIdx.x * (long long) THREADS + threadIdx.x) / 8);
    if (row < a.rows) {
        for (int k = a.a.offsets[row] + threadIdx.x % 8; k < a.a.offsets[row + 1]; k += 8) {
            const int column = a.a.columns[k];
            const int place = placeOf(a.a.columns, a.a.offsets[column], a.a.offsets[column + 1], row);
            if (place < 0) {
                a.counts[0] = 1;
            } else {
                a.values[k] = (REAL) (0.5 * (double) a.a.values[k] + 0.5 * (double) a.a.values[place]);
            }
        }
    }
}

// Sets counts[0] if an entry differs from its mirror image by more than a share of alpha, a missing one being 0, and
// counts[1] if one has none. Eight threads a row.
extern "C" __global__ void __launch_bounds__(THREADS) findAsymmetry(const __grid_constant__ Arguments a) {
    const int row = (int) ((blockIdx.x * (long long) THREADS + threadIdx.x) / 8);
    if (row < a.rows) {
        for (int k = a.a.offsets[row] + threadIdx.x % 8; k < a.a.offsets[row + 1]; k += 8) {
            const int column = a.a.columns[k];
            if (column == row) {
                continue;
            }
            const int place = placeOf(a.a.columns, a.a.offsets[column], a.a.offsets[column + 1], row);
            const double value = a.a.values[k];
            const double mirror = place >= 0 ? (double) a.a.values[place] : 0.0;
            if (!(fabs(value - mirror) <= a.alpha * fmax(fabs(value), fabs(mirror)))) {
                a.counts[0] = 1;
            }
            if (place < 0) {
                a.counts[1] = 1;
            }
        }
    }
}

// Rounds doubles to REAL, which is float here.
extern "C" __global__ void __launch_bounds__(THREADS) narrow(const __grid_constant__ Arguments a) {
    const int k = item();
    if (k < a.size) {
        a.values[k] = (REAL) ((const double*) a.a.values)[k];
    }
}

// Makes doubles of REAL, which is float here.
extern "C" __global__ void __launch_bounds__(THREADS) widen(const __grid_constant__ Arguments a) {
    const int k = item();
    if (k < a.size) {
        ((double*) a.values)[k] = (double) a.a.values[k];
    }
}

// Copies values.
extern "C" __global__ void __launch_bounds__(THREADS) copyValues(const __grid_constant__ Arguments a) {
    const int k = item();
    if (k < a.size) {
        a.values[k] = a.a.values[k];
    }
}

// The first entry that is not finite; size is the number of entries.
extern "C" __global__ void __launch_bounds__(THREADS) findNotFinite(const __grid_constant__ Arguments a) {
    const int k = item();
    if (k < a.size && !(fabs((double) a.a.values[k]) <= 1.7976931348623157e308)) {
        atomicMin(a.counts, k);
    }
}

// The diagonal, 0 where there is none.
extern "C" __global__ void __launch_bounds__(THREADS) diagonal(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows) {
        const int place = placeOf(a.a.columns, a.a.offsets[row], a.a.offsets[row + 1], row);
        a.vector[row] = place < 0 ? REAL(0) : a.a.values[place];
    }
}

// Stores an inverse, rounded, times alpha; counts[0] is the first row whose inverse is 0 or not finite.
__device__ __forceinline__ void storeInverse(const Arguments& a, int row, double element) {
    const REAL inverse = (REAL) (1 / element);
    if (!(fabs((double) inverse) <= 1.7976931348623157e308) || inverse == 0) {
        atomicMin(a.counts, row);
    }
    a.vector[row] = (REAL) (a.alpha * (double) inverse);
}

// The diagonal's inverses.
extern "C" __global__ void __launch_bounds__(THREADS) invertInto(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows) {
        const int place = placeOf(a.a.columns, a.a.offsets[row], a.a.offsets[row + 1], row);
        storeInverse(a, row, place < 0 ? 0.0 : (double) a.a.values[place]);
    }
}

// The inverses of the sums of absolute values, with the signs of the diagonal.
extern "C" __global__ void __launch_bounds__(THREADS) invertRowSums(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows) {
        double sum = 0;
        double diagonal = 0;
        for (int k = a.a.offsets[row]; k < a.a.offsets[row + 1]; k++) {
            const double value = a.a.values[k];
            sum += fabs(value);
            diagonal = a.a.columns[k] == row ? value : diagonal;
        }
        storeInverse(a, row, copysign(sum, diagonal));
    }
}

// Multiplies rows by the elements of a vector.
extern "C" __global__ void __launch_bounds__(THREADS) scaleRows(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows) {
        const double factor = a.vector[row];
        for (int k = a.a.offsets[row]; k < a.a.offsets[row + 1]; k++) {
            a.values[k] = (REAL) (factor * (double) a.a.values[k]);
        }
    }
}

// Entries of a filter: MODE says which stay. The diagonal always does, but for CLASSICAL.
enum { SYMMETRIC, SIGNED, ONE_SIDED, DROP, CLASSICAL };

__device__ __forceinline__ bool stays(const Arguments& a, int mode, int row, int column, double value) {
    if (mode == CLASSICAL) { // x has signs, y limits, list components unless there is one only
        const double coupling = a.x[row] * value;
        return row != column && coupling > 0 && coupling >= a.y[row]
                && (a.list == nullptr || a.list[row] == a.list[column]);
    }
    if (row == column) {
        return true;
    }
    if (mode == SYMMETRIC) { // x is the diagonal, alpha the square of theta
        return value * value >= a.alpha * fabs(a.x[row]) * fabs(a.x[column]);
    }
    if (mode == DROP) { // alpha is the least absolute value
        return fabs(value) >= a.alpha;
    }
    const double coupling = a.x[row] * value; // x has signs, y limits
    return coupling > 0 && (mode == SIGNED ? coupling * coupling >= a.y[row] * a.y[column] : coupling >= a.y[row]);
}

// Counts what stays of each row; size is the mode.
extern "C" __global__ void __launch_bounds__(THREADS) countFiltered(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows) {
        int length = 0;
        for (int k = a.a.offsets[row]; k < a.a.offsets[row + 1]; k++) {
            length += stays(a, a.size, row, a.a.columns[k], a.a.values[k]);
        }
        a.lengths[row] = length;
    }
}

// Keeps what stays.
extern "C" __global__ void __launch_bounds__(THREADS) fillFiltered(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows) {
        int at = a.offsets[row];
        for (int k = a.a.offsets[row]; k < a.a.offsets[row + 1]; k++) {
            if (stays(a, a.size, row, a.a.columns[k], a.a.values[k])) {
                a.columns[at] = a.a.columns[k];
                a.values[at++] = a.a.values[k];
            }
        }
    }
}

// Counts the entries of a block: rows from size on, columns from first to last.
extern "C" __global__ void __launch_bounds__(THREADS) countBlock(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows) {
        int length = 0;
        for (int k = a.a.offsets[row + a.size]; k < a.a.offsets[row + a.size + 1]; k++) {
            length += a.a.columns[k] >= a.first && a.a.columns[k] < a.last;
        }
        a.lengths[row] = length;
    }
}

// Copies a block.
extern "C" __global__ void __launch_bounds__(THREADS) fillBlock(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows) {
        int at = a.offsets[row];
        for (int k = a.a.offsets[row + a.size]; k < a.a.offsets[row + a.size + 1]; k++) {
            if (a.a.columns[k] >= a.first && a.a.columns[k] < a.last) {
                a.columns[at] = a.a.columns[k] - a.first;
                a.values[at++] = a.a.values[k];
            }
        }
    }
}

// The slots of chunks of 32 rows for SELL: the longest of each; rows is the number of rows, size that of chunks.
extern "C" __global__ void __launch_bounds__(THREADS) chunkLengths(const __grid_constant__ Arguments a) {
    const int chunk = item();
    if (chunk < a.size) {
        int longest = 0;
        for (int row = chunk * 32; row < chunk * 32 + 32 && row < a.rows; row++) {
            longest = max(longest, a.a.offsets[row + 1] - a.a.offsets[row]);
        }
        a.lengths[chunk] = longest;
    }
}

// Copies rows into chunks whose first slots are in offsets; padding has column -1. A warp for each chunk reads SLOTS entries
// of a row side by side and writes a slot of all rows side by side.
extern "C" __global__ void __launch_bounds__(THREADS) fillChunks(const __grid_constant__ Arguments a) {
    __shared__ int allColumns[THREADS / 32][SLOTS][STRIDE];
    __shared__ REAL allValues[THREADS / 32][SLOTS][STRIDE];
    int (*const columns)[STRIDE] = allColumns[threadIdx.x / 32];
    REAL (*const values)[STRIDE] = allValues[threadIdx.x / 32];
    const int row = item();
    const int chunk = row / 32;
    if (chunk >= a.size) {
        return;
    }
    const int lane = row % 32;
    const long long base = (long long) a.offsets[chunk] * 32 + lane;
    const int slots = a.offsets[chunk + 1] - a.offsets[chunk];
    const int start = row < a.rows ? a.a.offsets[row] : 0;
    const int length = row < a.rows ? a.a.offsets[row + 1] - start : 0;
    for (int first = 0; first < slots; first += SLOTS) {
#pragma unroll
        for (int turn = 0; turn < SLOTS; turn++) {
            const int other = turn * (32 / SLOTS) + lane / SLOTS;
            const int slot = lane % SLOTS;
            const int from = __shfl_sync(0xffffffffu, start, other) + first + slot;
            const bool inside = first + slot < __shfl_sync(0xffffffffu, length, other);
            columns[slot][other] = inside ? a.a.columns[from] : -1;
            values[slot][other] = inside ? a.a.values[from] : REAL(0);
        }
        __syncwarp(0xffffffffu);
        for (int slot = 0; slot < SLOTS && first + slot < slots; slot++) {
            a.columns[base + (long long) (first + slot) * 32] = columns[slot][lane];
            a.values[base + (long long) (first + slot) * 32] = values[slot][lane];
        }
        __syncwarp(0xffffffffu);
    }
}

// The longest row of a.
extern "C" __global__ void __launch_bounds__(THREADS) longestRow(const __grid_constant__ Arguments a) {
    const int row = item();
    __shared__ int longest;
    if (threadIdx.x == 0) {
        longest = 0;
    }
    __syncthreads();
    if (row < a.rows) {
        atomicMax(&longest, a.a.offsets[row + 1] - a.a.offsets[row]);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicMax(a.counts, longest);
    }
}

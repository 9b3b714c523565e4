// Products of sparse matrices, row by row: how many terms a row has, its columns by a hash table in shared memory, sorted,
// and its values, each the sum of its terms in the order of the columns of A. GROUP threads work on a row; CAPACITY is
// how many columns a row may have here, SPAN how many threads look at a row of B together where the order of terms does not
// matter. With GROUP above 32 it is the whole block.
#include "arguments.cuh"

#define GROUPS (THREADS / GROUP)
#define TABLE (2 * CAPACITY)
#define EMPTY 0x7fffffff
// Rows of B whose first entries a thread loads before it looks at any of them, since loads are waited for.
#define BATCH 4
#define FULL 0xffffffffu
// New columns of a thread that wait to be counted; a table has room for those of all threads of a group.
#define UNCOUNTED (CAPACITY / GROUP < 4 ? 1 : GROUP < 32 ? 2 : 8)

__device__ __forceinline__ int lane() {
    return (int) (threadIdx.x % GROUP);
}

// All groups of a warp wait together, and so all of them take part in each turn of a loop that waits: groups that wait by
// themselves go apart, and a warp then runs them one after the other.
__device__ __forceinline__ void groupSync() {
#if GROUP > 32
    __syncthreads();
#else
    __syncwarp(FULL);
#endif
}

// The greatest value of all groups that wait together.
__device__ __forceinline__ int greatest(int value) {
#if GROUP < 32
    for (int other = GROUP; other < 32; other *= 2) {
        value = max(value, __shfl_xor_sync(FULL, value, other));
    }
#endif
    return value;
}

// The row of a group: one of the list if there is one, of counts[first] rows, else the group's own. Returns -1 at the end.
__device__ __forceinline__ int groupRow(const Arguments& a, int turn) {
    const int number = (int) ((blockIdx.x + (long long) turn * gridDim.x) * GROUPS + threadIdx.x / GROUP);
    if (a.list == nullptr) {
        return number < a.rows && turn == 0 ? number : -1;
    }
    return number < a.counts[a.first] ? a.list[number] : -1;
}

__device__ __forceinline__ bool turnsLeft(const Arguments& a, int turn) {
    return a.list == nullptr
            ? turn == 0
            : (long long) (blockIdx.x + (long long) turn * gridDim.x) * GROUPS < a.counts[a.first];
}

// Terms of each row, at most as many as there are columns (size), go to lengths. Rows of more than TRIED go to the first
// list; counts[6], counts[4] and counts[5] say how many have more than BOUND0, BOUND1 and BOUND2.
extern "C" __global__ void __launch_bounds__(THREADS) countTerms(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows) {
        long long terms = 0;
        for (int k = a.a.offsets[row]; k < a.a.offsets[row + 1]; k++) {
            const int inner = a.a.columns[k];
            terms += a.b.offsets[inner + 1] - a.b.offsets[inner];
        }
        const int length = (int) (terms < a.size ? terms : a.size);
        a.lengths[row] = length;
        if (length > BOUND0) {
            atomicAdd(&a.counts[6], 1);
        }
        if (length > BOUND1) {
            atomicAdd(&a.counts[4], 1);
        }
        if (length > TRIED) {
            a.more[atomicAdd(&a.counts[0], 1)] = row;
        }
        if (length > BOUND2) {
            atomicAdd(&a.counts[5], 1);
        }
    }
}

// Puts a row into one of the lists that more has, rows long each.
__device__ __forceinline__ void enlist(const Arguments& a, int list, int row) {
    a.more[(long long) list * a.rows + atomicAdd(&a.counts[list], 1)] = row;
}

// Rows go to lists by CAPACITY of what works on them: more than BOUND0 to the first list, and so on.
__device__ __forceinline__ void sortIn(const Arguments& a, int row, int length) {
    if (length > BOUND0) {
        enlist(a, length > BOUND2 ? 2 : length > BOUND1 ? 1 : 0, row);
    }
}

// Sorts rows into lists by the lengths that they have.
extern "C" __global__ void __launch_bounds__(THREADS) sortIntoLists(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows) {
        sortIn(a, row, a.offsets[row + 1] - a.offsets[row]);
    }
}

__device__ __forceinline__ unsigned slotOf(int column, unsigned mask) {
    return ((unsigned) column * 2654435761u >> 7) & mask;
}

// Where the rows of B that GROUP entries of a row of A name start and end, and the factors: loaded by all threads of a
// group at once, since one after the other each of them would be waited for.
__device__ __forceinline__ int stage(const Arguments& a, int first, int last, int* starts, int* ends, double* factors) {
    const int staged = max(0, min(GROUP, last - first));
    if (lane() < staged) {
        const int inner = a.a.columns[first + lane()];
        starts[lane()] = a.b.offsets[inner];
        ends[lane()] = a.b.offsets[inner + 1];
        if (factors != nullptr) {
            factors[lane()] = a.a.values[first + lane()];
        }
    }
    groupSync();
    return staged;
}

// Puts a column into a table; returns 1 if it is new.
__device__ __forceinline__ int insert(int column, int* table, unsigned mask) {
    unsigned slot = slotOf(column, mask);
    for (;;) {
        int there = *(volatile int*) (table + slot);
        if (there == column) {
            return 0;
        }
        if (there == EMPTY) {
            there = atomicCAS(&table[slot], EMPTY, column);
            if (there == EMPTY || there == column) {
                return there == EMPTY;
            }
        }
        slot = (slot + 1) & mask;
    }
}

__device__ __forceinline__ bool isFull(const int* count) {
    return *(const volatile int*) count > CAPACITY;
}

// Puts a column into a table unless the row has too many. New columns of a thread are counted by itself and passed on
// UNCOUNTED at a time; the table has room for those that no count has yet.
template <bool BOUNDED>
__device__ __forceinline__ void take(int column, int* table, unsigned mask, int* count, int& own) {
    if (!BOUNDED) {
        own += insert(column, table, mask);
    } else if (!isFull(count)) {
        own += insert(column, table, mask);
        if (own == UNCOUNTED) {
            atomicAdd(count, own);
            own = 0;
        }
    }
}

// Puts the columns of the entries first to last of a into a table of the group; SPAN threads look at a row of B. Returns the new columns of this thread that count
// does not have yet. If BOUNDED, it gives up when there are more than CAPACITY: then the count is greater.
template <bool BOUNDED>
__device__ __forceinline__ int collect(const Arguments& a, int first, int last, int* table, unsigned mask, int* count) {
    __shared__ int allStarts[THREADS];
    __shared__ int allEnds[THREADS];
    int* const starts = allStarts + threadIdx.x / GROUP * GROUP;
    int* const ends = allEnds + threadIdx.x / GROUP * GROUP;
    int own = 0;
    for (int turns = (greatest(last - first) + GROUP - 1) / GROUP; turns > 0; turns--) {
        const int staged = stage(a, first, last, starts, ends, nullptr);
        for (int j = lane() / SPAN; j < staged; j += BATCH * (GROUP / SPAN)) {
            int columns[BATCH];
#pragma unroll
            for (int u = 0; u < BATCH; u++) {
                const int other = j + u * (GROUP / SPAN);
                const int at = other < staged ? starts[other] + lane() % SPAN : 0;
                columns[u] = other < staged && at < ends[other] ? a.b.columns[at] : EMPTY;
            }
#pragma unroll
            for (int u = 0; u < BATCH; u++) {
                const int other = j + u * (GROUP / SPAN);
                if (columns[u] != EMPTY) {
                    take<BOUNDED>(columns[u], table, mask, count, own);
                    for (int l = starts[other] + lane() % SPAN + SPAN; l < ends[other]; l += SPAN) {
                        take<BOUNDED>(a.b.columns[l], table, mask, count, own);
                    }
                }
            }
        }
        first += GROUP;
        groupSync();
        if (BOUNDED) {
            first = isFull(count) ? last : first;
            groupSync();
        }
    }
    return own;
}

// A power of two of at least twice as many slots as columns.
__device__ __forceinline__ unsigned maskFor(int columns) {
    unsigned size = 16;
    while (size < 2u * (unsigned) columns) {
        size *= 2;
    }
    return (size < TABLE ? size : TABLE) - 1;
}

// Makes a table empty.
__device__ __forceinline__ void clear(int* table, unsigned mask, int* count) {
    for (unsigned i = lane(); i <= mask; i += GROUP) {
        table[i] = EMPTY;
    }
    if (lane() == 0) {
        *count = 0;
    }
    groupSync();
}

// Counts the columns of rows, whose terms lengths says; they become the lengths. Without a list, rows of at most TRIED
// terms are taken, since few of many terms are different columns; rows that turn out to have more than CAPACITY columns go
// to the next list.
extern "C" __global__ void __launch_bounds__(THREADS) countDistinct(const __grid_constant__ Arguments a) {
    __shared__ int tables[GROUPS * TABLE];
    __shared__ int found[GROUPS];
    int* const table = tables + threadIdx.x / GROUP * TABLE;
    int* const count = found + threadIdx.x / GROUP;
    for (int turn = 0; turnsLeft(a, turn); turn++) {
        const int row = groupRow(a, turn);
        const int terms = row < 0 ? 0 : a.lengths[row];
        const bool mine = terms > 0 && (a.list != nullptr || terms <= TRIED);
        const unsigned mask = maskFor(greatest(mine ? min(terms, CAPACITY) : 0));
        clear(table, mask, count);
        const int first = mine ? a.a.offsets[row] : 0;
        const int own = collect<true>(a, first, mine ? a.a.offsets[row + 1] : 0, table, mask, count);
        if (own > 0) {
            atomicAdd(count, own);
        }
        groupSync();
        if (mine && lane() == 0) {
            if (*count > CAPACITY) {
                enlist(a, a.list == nullptr ? 0 : a.first + 1, row);
            } else {
                a.lengths[row] = *count;
            }
        }
        groupSync();
    }
}

// Sorts keys of a group in place: merges runs by bitonic steps, all of them ascending.
__device__ __forceinline__ void sortKeys(int* keys, int count) {
    const int most = greatest(count);
    for (int size = 2; size / 2 < most; size *= 2) {
        for (int half = size / 2; half > 0; half /= 2) {
            // half and size are powers of two: pairs are numbered by blocks of half.
            for (int pair = lane(); 2 * (pair & -half) < count; pair += GROUP) {
                const int low = pair + (pair & -half);
                const int high = half == size / 2 ? low ^ (size - 1) : low + half;
                if (high < count && keys[low] > keys[high]) {
                    const int swapped = keys[low];
                    keys[low] = keys[high];
                    keys[high] = swapped;
                }
            }
            groupSync();
        }
    }
}

// Moves the columns of a table together, in no order. In place, since no slot is written that a thread of the group has
// yet to read.
__device__ __forceinline__ void compact(int* table, unsigned mask, int* count) {
    for (unsigned first = 0; first <= mask; first += GROUP) {
        const unsigned slot = first + lane();
        const int column = slot <= mask ? table[slot] : EMPTY;
        groupSync();
#if GROUP <= 32
        const unsigned shift = threadIdx.x % 32 / GROUP * GROUP;
        const unsigned there = __ballot_sync(FULL, column != EMPTY) >> shift & (FULL >> (32 - GROUP));
        const int place = *count + __popc(there & ((1u << lane()) - 1));
        if (column != EMPTY) {
            table[place] = column;
        }
        groupSync();
        if (lane() == 0) {
            *count += __popc(there);
        }
#else
        if (column != EMPTY) {
            table[atomicAdd(count, 1)] = column;
        }
#endif
        groupSync();
    }
}

// Finds the columns of rows of at most CAPACITY columns, in order. The offsets are there.
extern "C" __global__ void __launch_bounds__(THREADS) fillColumns(const __grid_constant__ Arguments a) {
    __shared__ int tables[GROUPS * TABLE];
    __shared__ int found[GROUPS];
    int* const table = tables + threadIdx.x / GROUP * TABLE;
    int* const count = found + threadIdx.x / GROUP;
    for (int turn = 0; turnsLeft(a, turn); turn++) {
        const int row = groupRow(a, turn);
        const int start = row < 0 ? 0 : a.offsets[row];
        const int length = row < 0 ? 0 : a.offsets[row + 1] - start;
        const int columns = length <= CAPACITY ? length : 0;
        const unsigned mask = maskFor(greatest(columns));
        clear(table, mask, count);
        const int first = columns > 0 ? a.a.offsets[row] : 0;
        collect<false>(a, first, columns > 0 ? a.a.offsets[row + 1] : 0, table, mask, count);
        compact(table, mask, count);
        sortKeys(table, columns);
        for (int i = lane(); i < columns; i += GROUP) {
            a.columns[start + i] = table[i];
        }
        groupSync();
    }
}

// Sorts the columns of rows in place: without a list those of at most CAPACITY entries, with one those of more than
// BOUND0, where a warp takes rows of up to BOUND1 and a block the others, in the device's memory if there are too many.
extern "C" __global__ void __launch_bounds__(THREADS) sortColumns(const __grid_constant__ Arguments a) {
    __shared__ int tables[GROUPS * CAPACITY];
    int* const table = tables + threadIdx.x / GROUP * CAPACITY;
    for (int turn = 0; turnsLeft(a, turn); turn++) {
        const int row = groupRow(a, turn);
        const int start = row < 0 ? 0 : a.offsets[row];
        const int length = row < 0 ? 0 : a.offsets[row + 1] - start;
        const int columns = length <= CAPACITY && (GROUP <= 32 || length > BOUND1) ? length : 0;
        for (int i = lane(); i < columns; i += GROUP) {
            table[i] = a.columns[start + i];
        }
        groupSync();
        sortKeys(table, columns);
        for (int i = lane(); i < columns; i += GROUP) {
            a.columns[start + i] = table[i];
        }
        groupSync();
        if (GROUP > 32 && length > CAPACITY) {
            sortKeys(a.columns + start, length);
        }
    }
}

__device__ __forceinline__ void addTerm(const Arguments& a, int row, const int* columns, int count, double* sums,
        int column, double term) {
    const int place = placeOf(columns, 0, count, column);
    if (place < 0) {
        atomicMin(&a.counts[3], row);
    } else {
        sums[place] += term;
    }
}

// Shows the terms of entries first to last of a to add(column, term), by a group of threads that has one row of B at a time.
template <typename Adder>
__device__ __forceinline__ void addTerms(const Arguments& a, int first, int last, Adder&& add) {
    __shared__ int allStarts[THREADS];
    __shared__ int allEnds[THREADS];
    __shared__ double allFactors[THREADS];
    int* const starts = allStarts + threadIdx.x / GROUP * GROUP;
    int* const ends = allEnds + threadIdx.x / GROUP * GROUP;
    double* const factors = allFactors + threadIdx.x / GROUP * GROUP;
    for (int turns = (greatest(last - first) + GROUP - 1) / GROUP; turns > 0; turns--) {
        const int staged = stage(a, first, last, starts, ends, factors);
        const int most = greatest(staged);
        for (int j = 0; j < most; j += BATCH) {
            int columns[BATCH];
            double values[BATCH];
#pragma unroll
            for (int u = 0; u < BATCH; u++) {
                const int at = j + u < staged ? starts[j + u] + lane() : 0;
                const bool inside = j + u < staged && at < ends[j + u];
                columns[u] = inside ? a.b.columns[at] : EMPTY;
                values[u] = inside ? (double) a.b.values[at] : 0.0;
            }
#pragma unroll
            for (int u = 0; u < BATCH; u++) {
                if (j + u < most) {
                    if (columns[u] != EMPTY) {
                        add(columns[u], factors[j + u] * values[u]);
                        for (int l = starts[j + u] + lane() + GROUP; l < ends[j + u]; l += GROUP) {
                            add(a.b.columns[l], factors[j + u] * (double) a.b.values[l]);
                        }
                    }
                    groupSync();
                }
            }
        }
        first += GROUP;
    }
}

// Computes the values of rows of at most CAPACITY columns, which are known. counts[3] is the first row with a term that
// has no entry. Where rows may be long, shared memory is full with the sums, and columns stay where they are.
extern "C" __global__ void __launch_bounds__(THREADS) fillValues(const __grid_constant__ Arguments a) {
    __shared__ double allSums[GROUPS * CAPACITY];
    double* const sums = allSums + threadIdx.x / GROUP * CAPACITY;
#if CAPACITY <= 1024
    __shared__ int allColumns[GROUPS * CAPACITY];
    int* const columns = allColumns + threadIdx.x / GROUP * CAPACITY;
#endif
    for (int turn = 0; turnsLeft(a, turn); turn++) {
        const int row = groupRow(a, turn);
        const int start = row < 0 ? 0 : a.offsets[row];
        const int count = row < 0 ? 0 : a.offsets[row + 1] - start;
        const bool mine = row >= 0 && count <= CAPACITY;
        for (int i = lane(); mine && i < count; i += GROUP) {
            sums[i] = 0;
#if CAPACITY <= 1024
            columns[i] = a.columns[start + i];
#endif
        }
        groupSync();
        const int first = mine ? a.a.offsets[row] : 0;
        const int last = mine ? a.a.offsets[row + 1] : 0;
#if CAPACITY > 1024
        const int* const columns = a.columns + start;
#endif
        addTerms(a, first, last, [&](int column, double term) {
            addTerm(a, row, columns, count, sums, column, term);
        });
        groupSync();
        for (int i = lane(); mine && i < count; i += GROUP) {
            a.values[start + i] = (REAL) sums[i];
        }
        groupSync();
    }
}

#if GROUP < 32
// A place in a table whose entry is being made by another thread, for another column of the same row of B.
#define TAKEN (EMPTY - 1)

// Entries of a row in the order in which they are met, with a table of their places.
struct MetRow {
    int* table;
    unsigned mask;
    int* columns;
    double* sums;
    int* count;

    // Adds a term. Threads of a group add to different columns at a time, and wait for each other before they add again.
    __device__ __forceinline__ void add(int column, double term) const {
        for (unsigned slot = slotOf(column, mask);; slot = (slot + 1) & mask) {
            int place = *(volatile int*) (table + slot);
            if (place == EMPTY) {
                place = atomicCAS(&table[slot], EMPTY, TAKEN);
                if (place == EMPTY) {
                    place = atomicAdd(count, 1);
                    *(volatile int*) (columns + place) = column;
                    sums[place] = 0.0 + term;
                    __threadfence_block(); // who finds the place finds the column there
                    *(volatile int*) (table + slot) = place;
                    return;
                }
            }
            if (place != TAKEN && *(volatile int*) (columns + place) == column) {
                sums[place] += term;
                return;
            }
        }
    }
};

// Finds columns and values of rows of at most CAPACITY columns at once. The offsets are there.
extern "C" __global__ void __launch_bounds__(THREADS) fillRows(const __grid_constant__ Arguments a) {
    __shared__ int tables[GROUPS * TABLE];
    __shared__ int allColumns[GROUPS * CAPACITY];
    __shared__ double allSums[GROUPS * CAPACITY];
    __shared__ int found[GROUPS];
    const int group = (int) threadIdx.x / GROUP;
    const int row = (int) (blockIdx.x * GROUPS) + group;
    const int start = row < a.rows ? a.offsets[row] : 0;
    const int length = row < a.rows ? a.offsets[row + 1] - start : 0;
    const int count = length <= CAPACITY ? length : 0;
    const unsigned mask = maskFor(greatest(count));
    const MetRow met = {tables + group * TABLE, mask, allColumns + group * CAPACITY, allSums + group * CAPACITY,
            found + group};
    clear(met.table, mask, met.count);
    const int first = count > 0 ? a.a.offsets[row] : 0;
    addTerms(a, first, count > 0 ? a.a.offsets[row + 1] : 0, [&](int column, double term) { met.add(column, term); });
    groupSync();
    for (int i = lane(); i < count; i += GROUP) {
        const int column = met.columns[i];
        int place = 0;
        for (int other = 0; other < count; other++) {
            place += met.columns[other] < column;
        }
        a.columns[start + place] = column;
        a.values[start + place] = (REAL) met.sums[i];
    }
}
#endif

// For rows of very many columns: a bit for each in the device's memory, size words of 32 for each block in more. The
// bits are 0 before and after. With groups of a whole block only.

__device__ __forceinline__ void setBits(const Arguments& a, int row, int* bits) {
    for (int k = a.a.offsets[row] + threadIdx.x / SPAN; k < a.a.offsets[row + 1]; k += THREADS / SPAN) {
        const int inner = a.a.columns[k];
        const int end = a.b.offsets[inner + 1];
        for (int l = a.b.offsets[inner] + threadIdx.x % SPAN; l < end; l += SPAN) {
            const int column = a.b.columns[l];
            atomicOr(&bits[column / 32], (int) (1u << column % 32));
        }
    }
    __syncthreads();
}

// Counts the columns of the rows of a list.
extern "C" __global__ void __launch_bounds__(THREADS) countBits(const __grid_constant__ Arguments a) {
    __shared__ int count;
    int* const bits = a.more + (long long) blockIdx.x * a.size;
    for (int turn = 0; turnsLeft(a, turn); turn++) {
        const int row = groupRow(a, turn);
        if (threadIdx.x == 0) {
            count = 0;
        }
        setBits(a, row, bits);
        int own = 0;
        for (int word = threadIdx.x; word < a.size; word += THREADS) {
            own += __popc((unsigned) bits[word]);
            bits[word] = 0;
        }
        atomicAdd(&count, own);
        __syncthreads();
        if (threadIdx.x == 0) {
            a.lengths[row] = count;
        }
        __syncthreads();
    }
}

// Finds the columns of the rows of a list, in order: each thread has consecutive words.
extern "C" __global__ void __launch_bounds__(THREADS) fillBits(const __grid_constant__ Arguments a) {
    __shared__ int sums[THREADS];
    int* const bits = a.more + (long long) blockIdx.x * a.size;
    const int each = (a.size + THREADS - 1) / THREADS;
    for (int turn = 0; turnsLeft(a, turn); turn++) {
        const int row = groupRow(a, turn);
        setBits(a, row, bits);
        const int first = threadIdx.x * each;
        int own = 0;
        for (int word = first; word < first + each && word < a.size; word++) {
            own += __popc((unsigned) bits[word]);
        }
        sums[threadIdx.x] = own;
        __syncthreads();
        for (int distance = 1; distance < THREADS; distance *= 2) {
            const int left = (int) threadIdx.x >= distance ? sums[threadIdx.x - distance] : 0;
            __syncthreads();
            sums[threadIdx.x] += left;
            __syncthreads();
        }
        int at = a.offsets[row] + sums[threadIdx.x] - own;
        for (int word = first; word < first + each && word < a.size; word++) {
            for (unsigned rest = (unsigned) bits[word]; rest != 0; rest &= rest - 1) {
                a.columns[at++] = word * 32 + __ffs((int) rest) - 1;
            }
            bits[word] = 0;
        }
        __syncthreads();
    }
}

// Computes the values of the rows of a list; each block has last sums in x.
extern "C" __global__ void __launch_bounds__(THREADS) fillLongValues(const __grid_constant__ Arguments a) {
    double* const sums = a.x + (long long) blockIdx.x * a.last;
    for (int turn = 0; turnsLeft(a, turn); turn++) {
        const int row = groupRow(a, turn);
        const int start = a.offsets[row];
        const int count = a.offsets[row + 1] - start;
        for (int i = threadIdx.x; i < count; i += THREADS) {
            sums[i] = 0;
        }
        __syncthreads();
        addTerms(a, a.a.offsets[row], a.a.offsets[row + 1], [&](int column, double term) {
            addTerm(a, row, a.columns + start, count, sums, column, term);
        });
        for (int i = threadIdx.x; i < count; i += THREADS) {
            a.values[start + i] = (REAL) sums[i];
        }
        __syncthreads();
    }
}

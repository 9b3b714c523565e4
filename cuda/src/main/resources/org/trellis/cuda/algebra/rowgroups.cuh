// Groups of GROUP threads that work on a row each, of a product of sparse matrices or of a matrix to be sorted: hash tables of
// columns in shared memory, and terms in the order of the columns of A. CAPACITY is how many columns a row may have here,
// SPAN how many threads look at a row of B together where the order of terms does not matter. With GROUP above 32 a group is
// the whole block.

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

// Puts a row into one of the lists that more has, rows long each.
__device__ __forceinline__ void enlist(const Arguments& a, int list, int row) {
    a.more[(long long) list * a.rows + atomicAdd(&a.counts[list], 1)] = row;
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

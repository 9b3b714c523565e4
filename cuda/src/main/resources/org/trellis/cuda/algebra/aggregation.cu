// Aggregates around an independent set, for multigrid. One thread for each node unless said otherwise.
#include "arguments.cuh"

#define NONE (-1)
#define FREE (-2)
#define UNDECIDED 1
#define IN 2
#define OUT 0
#define SEED 1998LL
#define TOP (1LL << 62)

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

// Whether a node takes part in the independent set: more is null, or has the aggregates, of which it must have none yet.
__device__ __forceinline__ bool takesPart(const Arguments& a, int row) {
    return a.more == nullptr || a.more[row] == FREE;
}

// How many nodes are left undecided in all, once all blocks have said how many they have (own). round counts such
// questions, turn barriers; counts[0] is the barrier's, and the three after it take turns.
__device__ __forceinline__ int allLeft(const Arguments& a, int own, int& round, int& turn) {
    __shared__ int left;
    if (threadIdx.x == 0) {
        left = 0;
    }
    __syncthreads();
    if (own > 0) {
        atomicAdd(&left, own);
    }
    __syncthreads();
    int* const counter = a.counts + 1 + round % 3;
    if (threadIdx.x == 0) {
        if (left > 0) {
            atomicAdd(counter, left);
        }
        if (blockIdx.x == 0) {
            a.counts[1 + (round + 1) % 3] = 0;
        }
    }
    round++;
    gridBarrier(a.counts, turn);
    return *(volatile int*) counter;
}

__device__ __forceinline__ long long greater(long long one, long long other) {
    return other > one ? other : one;
}

// The greatest key of lanes neighbouring threads of a warp, a power of two.
__device__ __forceinline__ long long greatestOf(long long key, int lanes) {
    for (int half = lanes / 2; half > 0; half /= 2) {
        key = greater(key, __shfl_xor_sync(0xffffffffu, key, half));
    }
    return key;
}

// Visits all nodes, each by last neighbouring threads of a warp, all of which take part: visit(row, lane) with row -1 for
// none.
template <typename Visitor>
__device__ __forceinline__ void eachNode(const Arguments& a, Visitor&& visit) {
    const int together = THREADS / a.last;
    const int lane = (int) threadIdx.x % a.last;
    const int number = (int) threadIdx.x / a.last;
    for (int base = blockIdx.x * together; base < a.rows; base += gridDim.x * together) {
        visit(base + number < a.rows ? base + number : -1, lane);
    }
}

// The greatest key of each node that takes part and its neighbours.
__device__ __forceinline__ void spread(const Arguments& a) {
    eachNode(a, [&](int row, int lane) {
        long long greatest = 0;
        if (row >= 0 && takesPart(a, row)) {
            greatest = keyOf(a.list[row], row);
            for (int k = a.a.offsets[row] + lane; k < a.a.offsets[row + 1]; k += a.last) {
                const int column = a.a.columns[k];
                greatest = greater(greatest, keyOf(a.list[column], column));
            }
        }
        greatest = greatestOf(greatest, a.last);
        if (row >= 0 && lane == 0) {
            a.keys[row] = greatest;
        }
    });
}

__device__ __forceinline__ int stateFor(int row, long long greatest) {
    return greatest <= keyOf(UNDECIDED, row) ? IN : greatest >= TOP ? OUT : UNDECIDED;
}

// The same one step further, and what follows for each undecided node. Returns how many of a thread stay undecided.
__device__ __forceinline__ int decide(const Arguments& a) {
    int left = 0;
    eachNode(a, [&](int row, int lane) {
        const bool undecided = row >= 0 && a.list[row] == UNDECIDED;
        long long greatest = 0;
        if (undecided) {
            greatest = a.keys[row];
            for (int k = a.a.offsets[row] + lane; k < a.a.offsets[row + 1]; k += a.last) {
                greatest = greater(greatest, a.keys[a.a.columns[k]]);
            }
        }
        greatest = greatestOf(greatest, a.last);
        if (undecided && lane == 0) {
            const int state = stateFor(row, greatest);
            a.list[row] = state;
            left += state == UNDECIDED;
        }
    });
    return left;
}

// The greatest key within a distance of two of a node (-1: none), by first neighbouring threads of a warp.
__device__ __forceinline__ long long greatestAround(const Arguments& a, int row) {
    long long greatest = 0;
    const int end = row < 0 ? 0 : a.a.offsets[row + 1];
    for (int k = row < 0 ? 0 : a.a.offsets[row] + (int) threadIdx.x % a.first; k < end; k += a.first) {
        const int column = a.a.columns[k];
        if (takesPart(a, column)) {
            greatest = greater(greatest, keyOf(a.list[column], column));
            for (int l = a.a.offsets[column]; l < a.a.offsets[column + 1]; l++) {
                const int next = a.a.columns[l];
                greatest = greater(greatest, keyOf(a.list[next], next));
            }
        }
    }
    return greatestOf(greatest, a.first);
}

// Decides listed nodes and lists those that stay undecided behind a counter. A state may be seen by others in this turn or
// in the next one, which changes nothing but how many turns it takes: a node waits for all with a greater key.
__device__ __forceinline__ void decideListed(const Arguments& a, const int* list, int listed, int* next, int* counter) {
    const int together = THREADS / a.first;
    for (int base = blockIdx.x * together; base < listed; base += gridDim.x * together) {
        const int number = base + (int) threadIdx.x / a.first;
        const int row = number < listed ? list[number] : -1;
        const long long greatest = greatestAround(a, row);
        if (row >= 0 && (int) threadIdx.x % a.first == 0) {
            const int state = stateFor(row, greatest);
            if (state == UNDECIDED) {
                next[atomicAdd(counter, 1)] = row;
            } else {
                a.list[row] = state;
            }
        }
    }
}

// A maximal independent set of distance 2, by blocks that run together. list gets the states of nodes; those that do not
// take part (takesPart) are not in it. keys has room for a key of each node, lengths and columns for a list of nodes each;
// counts is 0 before, four of them. After the first turns few nodes are undecided, one in size, and these are listed. last
// threads look at the neighbours of a node, first at those of a listed one and at theirs.
extern "C" __global__ void __launch_bounds__(THREADS) independentSet(const __grid_constant__ Arguments a) {
    int turn = 0;
    int round = 0;
    int own = 0;
    for (int row = item(); row < a.rows; row += gridDim.x * THREADS) {
        const bool in = takesPart(a, row);
        a.list[row] = in ? UNDECIDED : OUT;
        own += in;
    }
    int left = allLeft(a, own, round, turn);
    while (left > a.rows / a.size) {
        spread(a);
        gridBarrier(a.counts, turn);
        left = allLeft(a, decide(a), round, turn);
    }
    int* list = a.lengths;
    int* next = a.columns;
    for (int row = item(); left > 0 && row < a.rows; row += gridDim.x * THREADS) {
        if (a.list[row] == UNDECIDED) {
            list[atomicAdd(a.counts + 1 + round % 3, 1)] = row;
        }
    }
    left = allLeft(a, 0, round, turn);
    while (left > 0) {
        decideListed(a, list, left, next, a.counts + 1 + round % 3);
        left = allLeft(a, 0, round, turn);
        int* const done = list;
        list = next;
        next = done;
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
// free neighbours or more; more has the aggregates so far.
extern "C" __global__ void __launch_bounds__(THREADS) laterBeginners(const __grid_constant__ Arguments a) {
    const int node = item();
    if (node < a.rows) {
        int neighbours = 0;
        if (a.list[node] == IN) {
            for (int k = a.a.offsets[node]; k < a.a.offsets[node + 1]; k++) {
                neighbours += a.a.columns[k] != node && a.more[a.a.columns[k]] == FREE;
            }
        }
        a.lengths[node] = neighbours >= 2;
    }
}

// Their aggregates are numbered from the number of those before (counts[0]) on; that of all goes to columns[0].
extern "C" __global__ void __launch_bounds__(THREADS) laterMembers(const __grid_constant__ Arguments a) {
    const int node = item();
    if (node < a.rows) {
        a.more[node] = a.lengths[node] == 1 ? a.counts[0] + a.offsets[node] : a.list[node];
        if (node == 0) {
            a.columns[0] = a.counts[0] + a.offsets[a.rows];
        }
    }
}

// The aggregate of the neighbour to which the coupling is greatest, the first of several, or FREE. Where lengths has
// aggregates of before, only neighbours that were free count.
__device__ __forceinline__ int strongest(const Arguments& a, int node) {
    int found = FREE;
    double greatest = -1;
    for (int k = a.a.offsets[node]; k < a.a.offsets[node + 1]; k++) {
        const int column = a.a.columns[k];
        const int there = a.lengths == nullptr || a.lengths[column] == FREE ? a.list[column] : FREE;
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

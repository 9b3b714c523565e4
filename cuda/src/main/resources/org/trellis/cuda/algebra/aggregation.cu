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

// Lists undecided nodes, whose states are in list, in columns, in an order that is open; counts[0] says how many.
extern "C" __global__ void __launch_bounds__(THREADS) listUndecided(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows && a.list[row] == UNDECIDED) {
        a.columns[atomicAdd(a.counts, 1)] = row;
    }
}

// What follows for the undecided nodes in lengths, size of them: more gets their next states. first threads of a warp, a
// power of two, look at the neighbours of a node and at theirs, as spreadOnce and decide do.
extern "C" __global__ void __launch_bounds__(THREADS) decideListed(const __grid_constant__ Arguments a) {
    const int number = item() / a.first;
    const int row = number < a.size ? a.lengths[number] : -1;
    long long greatest = 0;
    if (row >= 0) {
        const int end = a.a.offsets[row + 1];
        for (int k = a.a.offsets[row] + (int) threadIdx.x % a.first; k < end; k += a.first) {
            const int column = a.a.columns[k];
            const long long key = keyOf(a.list[column], column);
            greatest = key > greatest ? key : greatest;
            for (int l = a.a.offsets[column]; l < a.a.offsets[column + 1]; l++) {
                const int next = a.a.columns[l];
                const long long further = keyOf(a.list[next], next);
                greatest = further > greatest ? further : greatest;
            }
        }
    }
    for (int half = a.first / 2; half > 0; half /= 2) {
        const long long other = __shfl_xor_sync(0xffffffffu, greatest, half);
        greatest = other > greatest ? other : greatest;
    }
    if (row >= 0 && (int) threadIdx.x % a.first == 0) {
        a.more[number] = greatest <= keyOf(UNDECIDED, row) ? IN : greatest >= TOP ? OUT : UNDECIDED;
    }
}

// Writes the next states (more) of the size nodes in lengths to list, and lists those that stay undecided in columns;
// counts[0] says how many.
extern "C" __global__ void __launch_bounds__(THREADS) settleListed(const __grid_constant__ Arguments a) {
    const int number = item();
    if (number < a.size) {
        const int row = a.lengths[number];
        const int state = a.more[number];
        if (state == UNDECIDED) {
            a.columns[atomicAdd(a.counts, 1)] = row;
        } else {
            a.list[row] = state;
        }
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

// Numbers of all ranks that are combined on their devices: each rank writes its own to all, then each combines them in
// the order of ranks.
//
// THREADS: threads of the one block. Operations: 0 sum, 1 least, 2 greatest.

#include "arrive.cuh"

#define RANKS 64
#define GIVEN 8

struct Arguments {
    // Null if the numbers to send come with the arguments.
    double* values;
    // Where the host finds the result, or null.
    double* result;
    // The numbers of each rank, as they have come here: `most` for each.
    const double* slots;
    int count;
    int ranks;
    int most;
    int operation;
    int rank;
    int turn;
    unsigned round;
    int unused;
    // Where this rank's numbers go.
    double* targets[RANKS];
    double given[GIVEN];
    // Where this rank says on another that its numbers are there, and where others say it here; null for those whose
    // events streams wait for.
    char* raised[RANKS];
    const char* awaited[RANKS];
};

extern "C" __global__ void __launch_bounds__(THREADS) trellisSend(const __grid_constant__ Arguments a) {
    for (int i = threadIdx.x; i < a.count * a.ranks; i += THREADS) {
        const int rank = i / a.count;
        const int number = i - rank * a.count;
        a.targets[rank][number] = a.values ? a.values[number] : a.given[number];
    }
    __threadfence_system();
    __syncthreads();
    for (int rank = threadIdx.x; rank < a.ranks; rank += THREADS) {
        if (a.raised[rank] != nullptr) {
            raiseFlag(a.raised[rank], a.turn, a.round);
        }
    }
}

extern "C" __global__ void __launch_bounds__(THREADS) trellisCombine(const __grid_constant__ Arguments a) {
    for (int rank = threadIdx.x; rank < a.ranks; rank += THREADS) {
        if (a.awaited[rank] != nullptr) {
            awaitFlag(a.awaited[rank], a.turn, a.round);
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < a.count; i += THREADS) {
        double result = __ldcg(a.slots + i);
        for (int rank = 1; rank < a.ranks; rank++) {
            const double other = __ldcg(a.slots + rank * a.most + i);
            if (a.operation == 0) {
                result += other;
            } else if (a.operation == 1) {
                result = fmin(result, other);
            } else {
                result = fmax(result, other);
            }
        }
        a.values[i] = result;
        if (a.result) {
            a.result[i] = result;
        }
    }
}

// Rounds of a part of a graph that is run again and again: what is recorded after each, and whether there is another.
//
// THREADS: threads of the one block, a warp.

#ifndef EMULATED
extern "C" __device__ void cudaGraphSetConditional(unsigned long long handle, unsigned int value);
#endif

struct Arguments {
    unsigned long long condition;
    const double* scalars;
    // What is recorded, values[first .. first + count), and where: count values for each round.
    double* recorded;
    // Rounds done, and rounds at most.
    int* state;
    // Pairs of scalars: the first has to be more than the second.
    const int* bounds;
    int first;
    int count;
    int boundCount;
    int most;
};

// Before the first round.
extern "C" __global__ void __launch_bounds__(THREADS) trellisRepeatBegin(const __grid_constant__ Arguments a) {
    if (threadIdx.x == 0) {
        a.state[0] = 0;
        a.state[1] = a.most;
    }
}

// After each round.
extern "C" __global__ void __launch_bounds__(THREADS) trellisRepeatNext(const __grid_constant__ Arguments a) {
    const int round = a.state[0];
    const int most = a.state[1];
    for (int i = threadIdx.x; i < a.count; i += THREADS) {
        a.recorded[(long long) round * a.count + i] = a.scalars[a.first + i];
    }
    bool holds = true;
    for (int i = threadIdx.x; i < a.boundCount; i += THREADS) {
        holds = holds && a.scalars[a.bounds[2 * i]] > a.scalars[a.bounds[2 * i + 1]];
    }
    const bool all = __all_sync(0xffffffffu, holds);
    if (threadIdx.x == 0) {
        a.state[0] = round + 1;
        cudaGraphSetConditional(a.condition, all && round + 1 < most ? 1u : 0u);
    }
}

/*
 * A stand-in for libcuda.so.1 that tests build where there is no GPU: two devices whose memory is host memory, calls
 * that are done when they return, and one kernel that the host can run. It lets the Java side of the native boundary
 * (argument order, handle values, addresses above 4 GiB) be tested anywhere.
 */
#include <stdlib.h>
#include <string.h>

#define OUT_OF_MEMORY 2
#define INVALID_VALUE 1
#define NO_CONTEXT 201
#define NOT_FOUND 500

typedef unsigned long long address;

static int contexts[2];
static void *current;
static int live;

int cuInit(unsigned flags) { return flags == 0 ? 0 : INVALID_VALUE; }
int cuDriverGetVersion(int *version) { *version = 13000; return 0; }
int cuGetErrorString(int code, const char **text) { *text = code == OUT_OF_MEMORY ? "out of memory" : "an error"; return 0; }
int cuGetErrorName(int code, const char **text) { (void)code; *text = "NAME"; return 0; }
int cuDeviceGetCount(int *count) { *count = 2; return 0; }
int cuDeviceGet(int *device, int number) { *device = number; return number < 2 ? 0 : 101; }
int cuDeviceGetName(char *name, int length, int device) { strncpy(name, device ? "Stub B" : "Stub A", length); return 0; }
int cuDeviceTotalMem_v2(size_t *bytes, int device) { *bytes = (size_t)(6 + device) << 30; return 0; }
int cuDeviceGetAttribute(int *value, int attribute, int device) { *value = 1000 * device + attribute; return 0; }
int cuDevicePrimaryCtxRetain(void **context, int device) { *context = &contexts[device]; contexts[device]++; return 0; }
int cuDevicePrimaryCtxRelease_v2(int device) { return contexts[device]-- > 0 ? 0 : NO_CONTEXT; }
int cuCtxSetCurrent(void *context) { current = context; return 0; }
int cuMemGetInfo_v2(size_t *free, size_t *total) { *free = 123; *total = 456; return current ? 0 : NO_CONTEXT; }

int cuMemAlloc_v2(address *memory, size_t bytes) {
    if (!current) return NO_CONTEXT;
    if (bytes > (size_t)4 << 30) return OUT_OF_MEMORY;
    *memory = (address)aligned_alloc(256, (bytes + 255) / 256 * 256);
    live++;
    return *memory ? 0 : OUT_OF_MEMORY;
}
int cuMemFree_v2(address memory) { free((void *)memory); live--; return 0; }
int cuMemHostAlloc(void **memory, size_t bytes, unsigned flags) {
    if (flags != 3) return INVALID_VALUE;
    *memory = malloc(bytes);
    live++;
    return 0;
}
int cuMemFreeHost(void *memory) { free(memory); live--; return 0; }
int stubLive(void) { return live; }

static int copy(void *target, const void *source, size_t bytes) { memmove(target, source, bytes); return 0; }
int cuMemcpyHtoDAsync_v2(address target, const void *source, size_t bytes, void *stream) {
    return stream ? copy((void *)target, source, bytes) : INVALID_VALUE;
}
int cuMemcpyDtoHAsync_v2(void *target, address source, size_t bytes, void *stream) {
    return stream ? copy(target, (void *)source, bytes) : INVALID_VALUE;
}
int cuMemcpyDtoDAsync_v2(address target, address source, size_t bytes, void *stream) {
    return stream ? copy((void *)target, (void *)source, bytes) : INVALID_VALUE;
}
int cuMemcpyPeerAsync(address target, void *to, address source, void *from, size_t bytes, void *stream) {
    return stream && to == &contexts[1] && from == &contexts[0] ? copy((void *)target, (void *)source, bytes)
                                                                 : INVALID_VALUE;
}
int cuMemsetD8Async(address target, unsigned char value, size_t bytes, void *stream) {
    if (!stream) return INVALID_VALUE;
    memset((void *)target, value, bytes);
    return 0;
}
int cuDeviceCanAccessPeer(int *answer, int device, int peer) { *answer = device == 0 && peer == 1; return 0; }

int cuStreamCreate(void **stream, unsigned flags) { *stream = malloc(1); return flags == 1 ? 0 : INVALID_VALUE; }
int cuStreamDestroy_v2(void *stream) { free(stream); return 0; }
int cuStreamSynchronize(void *stream) { return stream ? 0 : INVALID_VALUE; }
int cuStreamWaitEvent(void *stream, void *event, unsigned flags) { return stream && event && !flags ? 0 : INVALID_VALUE; }

static int clock_;
int cuEventCreate(void **event, unsigned flags) { *event = calloc(2, sizeof(int)); return flags == 0 ? 0 : INVALID_VALUE; }
int cuEventDestroy_v2(void *event) { free(event); return 0; }
int cuEventRecord(void *event, void *stream) { *(int *)event = ++clock_; return stream ? 0 : INVALID_VALUE; }
/* Not ready the first time it is asked. */
int cuEventQuery(void *event) { return ((int *)event)[1]++ ? 0 : 600; }
int cuEventSynchronize(void *event) { return event ? 0 : INVALID_VALUE; }
int cuEventElapsedTime(float *milliseconds, void *start, void *end) {
    *milliseconds = (float)(*(int *)end - *(int *)start);
    return 0;
}

static char module[8];
int cuModuleLoadData(void **loaded, const void *image) { memcpy(module, image, 5); *loaded = module; return 0; }
int cuModuleUnload(void *unloaded) { return unloaded == module ? 0 : INVALID_VALUE; }
int cuModuleGetFunction(void **function, void *from, const char *name) {
    *function = module + 1;
    return from == module && !strcmp(name, "add") && !strcmp(module, "cubin") ? 0 : NOT_FOUND;
}
int cuFuncGetAttribute(int *value, int attribute, void *function) {
    *value = 10 + attribute;
    return function == module + 1 ? 0 : INVALID_VALUE;
}
int cuFuncSetAttribute(void *function, int attribute, int value) {
    return function == module + 1 && attribute == 8 && value == 100000 ? 0 : INVALID_VALUE;
}
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *function, int threads, size_t shared) {
    *blocks = (int)(threads + shared);
    return function == module + 1 ? 0 : INVALID_VALUE;
}

/* add(double *y, double a, int n): y[i] += a, if the launch is 3 x 2 blocks of 64 threads with 16 bytes. */
int cuLaunchKernel(void *function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY,
                   unsigned blockZ, unsigned shared, void *stream, void **parameters, void **extra) {
    if (function != module + 1 || gridX != 3 || gridY != 2 || gridZ != 1 || blockX != 64 || blockY != 1
        || blockZ != 1 || shared != 16 || !stream || extra) {
        return INVALID_VALUE;
    }
    double *y = *(double **)parameters[0];
    double a = *(double *)parameters[1];
    int n = *(int *)parameters[2];
    for (int i = 0; i < n; i++) y[i] += a;
    return 0;
}

int cuLaunchCooperativeKernel(void *function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                              unsigned blockY, unsigned blockZ, unsigned shared, void *stream, void **parameters) {
    return cuLaunchKernel(function, gridX, gridY, gridZ, blockX, blockY, blockZ, shared, stream, parameters, 0);
}

/* Graphs of at most four kernels; arguments of add() are copied when they are given. */
struct node_parameters {
    void *function;
    unsigned grid[3], block[3], shared;
    void **parameters;
    void **extra;
};
struct node {
    struct node_parameters how;
    double *y;
    double a;
    int n;
};
struct graph {
    int count;
    struct node nodes[4];
};
static void take(struct node *node, const struct node_parameters *given) {
    node->how = *given;
    node->y = *(double **)given->parameters[0];
    node->a = *(double *)given->parameters[1];
    node->n = *(int *)given->parameters[2];
}
int cuGraphCreate(struct graph **graph, unsigned flags) {
    *graph = calloc(1, sizeof(struct graph));
    return flags == 0 ? 0 : INVALID_VALUE;
}
int cuGraphDestroy(struct graph *graph) { free(graph); return 0; }
int cuGraphAddKernelNode(struct node **node, struct graph *graph, struct node **after, size_t count,
                         const struct node_parameters *given) {
    if (graph->count == 4 || count != (graph->count > 0) || given->extra
        || (count && *after != &graph->nodes[graph->count - 1])) {
        return INVALID_VALUE;
    }
    *node = &graph->nodes[graph->count++];
    take(*node, given);
    return 0;
}
int cuGraphInstantiateWithFlags(struct graph **executable, struct graph *graph, unsigned long long flags) {
    *executable = malloc(2 * sizeof(struct graph));
    (*executable)[0] = *graph;
    *(struct graph **)(*executable + 1) = graph;
    return flags == 0 ? 0 : INVALID_VALUE;
}
int cuGraphExecDestroy(struct graph *executable) { free(executable); return 0; }
int cuGraphExecKernelNodeSetParams(struct graph *executable, struct node *node, const struct node_parameters *given) {
    struct graph *origin = *(struct graph **)(executable + 1);
    if (node < origin->nodes || node >= origin->nodes + origin->count) return INVALID_VALUE;
    take(&executable->nodes[node - origin->nodes], given);
    return 0;
}
int cuGraphLaunch(struct graph *executable, void *stream) {
    for (int i = 0; i < executable->count; i++) {
        struct node *node = &executable->nodes[i];
        void *parameters[] = {&node->y, &node->a, &node->n};
        int code = cuLaunchKernel(node->how.function, node->how.grid[0], node->how.grid[1], node->how.grid[2],
                                  node->how.block[0], node->how.block[1], node->how.block[2], node->how.shared, stream,
                                  parameters, node->how.extra);
        if (code) return code;
    }
    return 0;
}

/* Textures of pitched rows of four floats, clamped and interpolated; the handle is the address of the memory. */
struct resource {
    int kind;
    double *data;
    int format;
    unsigned channels;
    size_t width, height, pitch;
};
struct sampling {
    int address[3];
    int filter;
};
int cuTexObjectCreate(unsigned long long *texture, const struct resource *resource, const struct sampling *how,
                      const void *view) {
    int clamped = how->address[0] == 1 && how->address[1] == 1 && how->address[2] == 1;
    if (resource->kind != 3 || resource->format != 0x20 || resource->channels != 4 || view || !clamped
        || how->filter != 1 || resource->pitch < 16 * resource->width || resource->pitch % 32) {
        return INVALID_VALUE;
    }
    *texture = (unsigned long long)resource->data + resource->height;
    return 0;
}
int cuTexObjectDestroy(unsigned long long texture) { return texture ? 0 : INVALID_VALUE; }

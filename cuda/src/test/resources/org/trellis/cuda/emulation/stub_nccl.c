// A stand-in for NCCL among threads of one process whose devices' memory is the host's. Messages are copied when they
// are sent and waited for when they are received, on the host; streams are not looked at but counted as wrong if null.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST 16
#define SUCCESS 0
#define SYSTEM_ERROR 2
#define INVALID_ARGUMENT 4
#define INVALID_USAGE 5
#define PATIENCE 20

typedef struct {
    char internal[128];
} UniqueId;

typedef struct Message {
    struct Message* next;
    size_t bytes;
    char data[];
} Message;

typedef struct Job {
    struct Job* next;
    UniqueId id;
    int ranks;
    int joined;
    char taken[MOST];
    Message* boxes[MOST][MOST];
} Job;

typedef struct {
    Job* job;
    int rank;
} Communicator;

typedef struct {
    int receives;
    void* address;
    size_t bytes;
    int peer;
    Communicator* communicator;
} Operation;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static Job* jobs;
static int named;
static long sent;
static long reduced;
static int open;
static _Thread_local int depth;
static _Thread_local int count;
static _Thread_local Operation operations[4 * MOST];
static _Thread_local char last[200];

static int fail(int code, const char* why) {
    snprintf(last, sizeof last, "stub: %s", why);
    return code;
}

const char* ncclGetErrorString(int code) {
    return code == SUCCESS ? "no error" : code == SYSTEM_ERROR ? "unhandled system error"
            : code == INVALID_ARGUMENT ? "invalid argument" : "invalid usage";
}

const char* ncclGetLastError(void* communicator) {
    (void) communicator;
    return last;
}

int ncclGetVersion(int* version) {
    *version = 22803;
    return SUCCESS;
}

int ncclGetUniqueId(UniqueId* id) {
    pthread_mutex_lock(&lock);
    memset(id, 0, sizeof *id);
    // Every byte counts: a name that is passed wrongly is found out.
    for (int i = 0; i < 128; i++) {
        id->internal[i] = (char) (3 * i + 1);
    }
    memcpy(id->internal + 60, &named, sizeof named);
    named++;
    pthread_mutex_unlock(&lock);
    return SUCCESS;
}

static int waitUntil(struct timespec* limit) {
    return pthread_cond_timedwait(&changed, &lock, limit) == ETIMEDOUT;
}

static struct timespec limit(void) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_sec += PATIENCE;
    return time;
}

int ncclCommInitRank(Communicator** made, int ranks, UniqueId id, int rank) {
    if (ranks < 1 || ranks > MOST || rank < 0 || rank >= ranks) {
        return fail(INVALID_ARGUMENT, "no such rank");
    }
    for (int i = 0; i < 128; i++) {
        if ((i < 60 || i >= 60 + (int) sizeof named) && id.internal[i] != (char) (3 * i + 1)) {
            return fail(INVALID_ARGUMENT, "this is no name");
        }
    }
    struct timespec end = limit();
    pthread_mutex_lock(&lock);
    Job* job = jobs;
    while (job && memcmp(&job->id, &id, sizeof id) != 0) {
        job = job->next;
    }
    if (!job) {
        job = calloc(1, sizeof *job);
        job->id = id;
        job->ranks = ranks;
        job->next = jobs;
        jobs = job;
    }
    if (job->ranks != ranks || job->taken[rank]) {
        pthread_mutex_unlock(&lock);
        return fail(INVALID_ARGUMENT, "two ranks are one");
    }
    job->taken[rank] = 1;
    job->joined++;
    pthread_cond_broadcast(&changed);
    while (job->joined < ranks) {
        if (waitUntil(&end)) {
            pthread_mutex_unlock(&lock);
            return fail(SYSTEM_ERROR, "not all ranks have come");
        }
    }
    open++;
    pthread_mutex_unlock(&lock);
    *made = calloc(1, sizeof **made);
    (*made)->job = job;
    (*made)->rank = rank;
    return SUCCESS;
}

static int leave(Communicator* communicator) {
    pthread_mutex_lock(&lock);
    open--;
    pthread_mutex_unlock(&lock);
    free(communicator);
    return SUCCESS;
}

int ncclCommDestroy(Communicator* communicator) {
    return leave(communicator);
}

int ncclCommAbort(Communicator* communicator) {
    return leave(communicator);
}

int ncclCommGetAsyncError(Communicator* communicator, int* error) {
    *error = communicator->job->ranks < 0 ? SYSTEM_ERROR : SUCCESS;
    return SUCCESS;
}

static void post(Communicator* from, int to, const void* data, size_t bytes) {
    Message* message = malloc(sizeof *message + bytes);
    message->next = NULL;
    message->bytes = bytes;
    memcpy(message->data, data, bytes);
    pthread_mutex_lock(&lock);
    Message** end = &from->job->boxes[from->rank][to];
    while (*end) {
        end = &(*end)->next;
    }
    *end = message;
    sent++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static int take(Communicator* to, int from, void* data, size_t bytes) {
    struct timespec end = limit();
    pthread_mutex_lock(&lock);
    Message** box = &to->job->boxes[from][to->rank];
    while (!*box) {
        if (waitUntil(&end)) {
            pthread_mutex_unlock(&lock);
            return fail(SYSTEM_ERROR, "a message does not come");
        }
    }
    Message* message = *box;
    *box = message->next;
    pthread_mutex_unlock(&lock);
    int right = message->bytes == bytes;
    if (right) {
        memcpy(data, message->data, bytes);
    }
    free(message);
    return right ? SUCCESS : fail(INVALID_ARGUMENT, "a message has another size");
}

int ncclGroupStart(void) {
    depth++;
    return SUCCESS;
}

int ncclGroupEnd(void) {
    if (depth == 0) {
        return fail(INVALID_USAGE, "no group has begun");
    }
    if (--depth > 0) {
        return SUCCESS;
    }
    int code = SUCCESS;
    for (int i = 0; i < count; i++) {
        Operation* one = &operations[i];
        if (!one->receives) {
            post(one->communicator, one->peer, one->address, one->bytes);
        }
    }
    for (int i = 0; i < count && code == SUCCESS; i++) {
        Operation* one = &operations[i];
        if (one->receives) {
            code = take(one->communicator, one->peer, one->address, one->bytes);
        }
    }
    count = 0;
    return code;
}

static int queue(int receives, void* address, size_t bytes, int type, int peer, Communicator* communicator,
        void* stream) {
    if (depth == 0 || count == 4 * MOST) {
        return fail(INVALID_USAGE, "a message outside a group would wait for ever");
    }
    if (type != 0 || !stream || peer < 0 || peer >= communicator->job->ranks) {
        return fail(INVALID_ARGUMENT, "type, stream or rank is wrong");
    }
    operations[count++] = (Operation) {receives, address, bytes, peer, communicator};
    return SUCCESS;
}

int ncclSend(void* address, size_t bytes, int type, int peer, Communicator* communicator, void* stream) {
    return queue(0, address, bytes, type, peer, communicator, stream);
}

int ncclRecv(void* address, size_t bytes, int type, int peer, Communicator* communicator, void* stream) {
    return queue(1, address, bytes, type, peer, communicator, stream);
}

int ncclAllGather(void* source, void* target, size_t values, int type, Communicator* communicator, void* stream) {
    if (type != 8 || !stream) {
        return fail(INVALID_ARGUMENT, "type or stream is wrong");
    }
    size_t bytes = 8 * values;
    int code = SUCCESS;
    for (int rank = 0; rank < communicator->job->ranks; rank++) {
        post(communicator, rank, source, bytes);
    }
    for (int rank = 0; rank < communicator->job->ranks && code == SUCCESS; rank++) {
        code = take(communicator, rank, (char*) target + rank * bytes, bytes);
    }
    return code;
}

int ncclAllReduce(void* source, void* target, size_t values, int type, int operation, Communicator* communicator,
        void* stream) {
    if (operation != 0) {
        return fail(INVALID_ARGUMENT, "only sums are made here");
    }
    double* all = malloc(8 * values * communicator->job->ranks);
    int code = ncclAllGather(source, all, values, type, communicator, stream);
    for (size_t i = 0; i < values && code == SUCCESS; i++) {
        double sum = 0;
        // Not the order of ranks: whoever relies on that is found out.
        for (int rank = communicator->job->ranks - 1; rank >= 0; rank--) {
            sum += all[rank * values + i];
        }
        ((double*) target)[i] = sum;
    }
    free(all);
    pthread_mutex_lock(&lock);
    reduced++;
    pthread_mutex_unlock(&lock);
    return code;
}

// For tests: messages that were sent, sums that were made, communicators that are open.
long stubSent(void) {
    return sent;
}

long stubReduced(void) {
    return reduced;
}

long stubOpen(void) {
    return open;
}

/* The native pool: runs block kernels on threads that never hold the GIL, and sliced jobs in the background.

   A region is one parallel_for: [0, count) in blocks of a fixed size. Blocks are claimed through one 64-bit ticket that holds
   the number of the region and how many of its blocks are unclaimed. A claim is a compare-and-swap that lowers the lower half:
   only who claimed a block reads the region's data, and a region can't end before its claimed blocks are done, so a thread
   that wakes late can never see the data of another region than the one it works for.

   Workers spin for a short time and then sleep: between the kernels of one tick they stay awake, between ticks they sleep.
   The caller works too; a second caller at the same time runs its region alone, without waiting.
   While a sequence (a world's tick) has as many threads at work as there are processors, the background thread rests between its
   slices, for half of the time at most: it would take a processor from a region for milliseconds. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define MOST_THREADS 256
#define SPIN_NANOSECONDS 60000
#define MOST_REST_NANOSECONDS 16000000

typedef struct {
    void *entry, *slots;
    const int64_t *count;
    int64_t block_size;
} pynav_step;

typedef void (*kernel_entry)(void **, int64_t *, double *, int64_t, int64_t);

static struct {
    kernel_entry entry;
    void *slots;
    int64_t count, block_size, block_count;
} region;
static _Atomic uint64_t ticket;          /* region number << 32 | unclaimed blocks */
static _Atomic int64_t completed;        /* blocks of the region that are done */
static _Atomic int sleeping, stopping;
static _Atomic int caller_sleeps;
static pthread_mutex_t region_lock = PTHREAD_MUTEX_INITIALIZER;  /* held by the caller of a region; only ever tried */
static pthread_mutex_t sleep_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER, done = PTHREAD_COND_INITIALIZER;
static pthread_t workers[MOST_THREADS];
static int thread_count = 1, processor_count = MOST_THREADS + 1;
static _Atomic uint8_t thread_ran[MOST_THREADS];
static _Atomic int frame;                /* 1 while a sequence runs on as many threads as there are processors */
static _Atomic int job_rests;
static __thread int64_t kernel_nanoseconds;

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void relax(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

static void call(kernel_entry entry, void *slots, int64_t begin, int64_t end) {
    entry((void **)slots, (int64_t *)slots, (double *)slots, begin, end);
}

static int run_one_block(int thread) {
    uint64_t seen = atomic_load_explicit(&ticket, memory_order_acquire);
    do {
        if ((uint32_t)seen == 0) return 0;
    } while (!atomic_compare_exchange_weak_explicit(&ticket, &seen, seen - 1, memory_order_acq_rel, memory_order_acquire));
    int64_t block = region.block_count - (uint32_t)seen;
    int64_t begin = block * region.block_size, end = begin + region.block_size;
    int64_t block_count = region.block_count;
    if (end > region.count) end = region.count;
    call(region.entry, region.slots, begin, end);
    atomic_store_explicit(&thread_ran[thread], 1, memory_order_relaxed);
    if (atomic_fetch_add(&completed, 1) + 1 == block_count && atomic_load(&caller_sleeps)) {
        pthread_mutex_lock(&sleep_lock);
        pthread_cond_broadcast(&done);
        pthread_mutex_unlock(&sleep_lock);
    }
    return 1;
}

static void *worker_main(void *argument) {
    int thread = (int)(intptr_t)argument;
    int64_t since = now();
    int spins = 0;
    while (!atomic_load_explicit(&stopping, memory_order_relaxed)) {
        if (run_one_block(thread)) {
            since = 0;
            continue;
        }
        relax();
        if (++spins < 64) continue;
        spins = 0;
        if (since == 0) since = now();
        if (now() - since < SPIN_NANOSECONDS) continue;
        pthread_mutex_lock(&sleep_lock);
        atomic_fetch_add(&sleeping, 1);
        while ((uint32_t)atomic_load(&ticket) == 0 && !atomic_load(&stopping)) pthread_cond_wait(&wake, &sleep_lock);
        atomic_fetch_sub(&sleeping, 1);
        pthread_mutex_unlock(&sleep_lock);
        since = 0;
    }
    return NULL;
}

static void stop_workers(void) {
    atomic_store(&stopping, 1);
    pthread_mutex_lock(&sleep_lock);
    pthread_cond_broadcast(&wake);
    pthread_mutex_unlock(&sleep_lock);
    for (int i = 1; i < thread_count; i++) pthread_join(workers[i], NULL);
    atomic_store(&stopping, 0);
    thread_count = 1;
}

static int processors(void) {
    cpu_set_t usable;
    return sched_getaffinity(0, sizeof usable, &usable) ? 1 : CPU_COUNT(&usable);
}

/* Returns the number of threads that now run blocks, the caller included. Waits for a region in progress on another thread. */
EXPORT int pynav_set_threads(int count) {
    if (count < 1) count = 1;
    if (count > MOST_THREADS) count = MOST_THREADS;
    pthread_mutex_lock(&region_lock);
    processor_count = processors();
    if (count != thread_count) {
        stop_workers();
        while (thread_count < count) {
            if (pthread_create(&workers[thread_count], NULL, worker_main, (void *)(intptr_t)thread_count)) break;
            thread_count++;
        }
    }
    pthread_mutex_unlock(&region_lock);
    return thread_count;
}

static void run_alone(kernel_entry entry, void *slots, int64_t count, int64_t block_size) {
    for (int64_t begin = 0; begin < count; begin += block_size)
        call(entry, slots, begin, begin + block_size < count ? begin + block_size : count);
    if (count > 0) atomic_store_explicit(&thread_ran[0], 1, memory_order_relaxed);
}

static void run_blocks(kernel_entry entry, void *slots, int64_t count, int64_t block_size) {
    int64_t block_count = (count + block_size - 1) / block_size;
    if (block_count < 2 || block_count > UINT32_MAX || thread_count < 2 || pthread_mutex_trylock(&region_lock)) {
        run_alone(entry, slots, count, block_size);
        return;
    }
    region.entry = entry;
    region.slots = slots;
    region.count = count;
    region.block_size = block_size;
    region.block_count = block_count;
    atomic_store(&completed, 0);
    uint64_t number = (atomic_load_explicit(&ticket, memory_order_relaxed) >> 32) + 1;
    atomic_store(&ticket, number << 32 | (uint64_t)block_count);
    if (atomic_load(&sleeping)) {
        pthread_mutex_lock(&sleep_lock);
        pthread_cond_broadcast(&wake);
        pthread_mutex_unlock(&sleep_lock);
    }
    while (run_one_block(0)) {}
    int64_t waiting_since = 0;
    while (atomic_load_explicit(&completed, memory_order_acquire) != block_count) {
        for (int i = 0; i < 64 && atomic_load_explicit(&completed, memory_order_acquire) != block_count; i++) relax();
        if (waiting_since == 0) waiting_since = now();
        if (now() - waiting_since < SPIN_NANOSECONDS) continue;
        pthread_mutex_lock(&sleep_lock);
        atomic_store(&caller_sleeps, 1);
        while (atomic_load(&completed) != block_count) pthread_cond_wait(&done, &sleep_lock);
        atomic_store(&caller_sleeps, 0);
        pthread_mutex_unlock(&sleep_lock);
    }
    pthread_mutex_unlock(&region_lock);
}

EXPORT void pynav_run_blocks(void *entry, void *slots, int64_t count, int64_t block_size) {
    int64_t started = now();
    run_blocks((kernel_entry)entry, slots, count, block_size);
    kernel_nanoseconds += now() - started;
}

static void end_frame(void) {
    atomic_store(&frame, 0);
    if (atomic_load(&job_rests)) syscall(SYS_futex, (int *)&frame, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* Steps one after the other without a return to Python. A step with a count is a block kernel; the count is read when its turn
   comes, so that an earlier step may have written it. */
EXPORT void pynav_run_sequence(pynav_step *steps, int step_count) {
    int64_t started = now();
    int is_frame = thread_count >= processor_count;
    if (is_frame) atomic_store(&frame, 1);
    for (pynav_step *step = steps; step < steps + step_count; step++) {
        if (step->count) run_blocks((kernel_entry)step->entry, step->slots, *step->count, step->block_size);
        else call((kernel_entry)step->entry, step->slots, 0, 0);
    }
    if (is_frame) end_frame();
    kernel_nanoseconds += now() - started;
}

EXPORT void pynav_call(void *entry, void *slots) {
    int64_t started = now();
    call((kernel_entry)entry, slots, 0, 0);
    kernel_nanoseconds += now() - started;
}

EXPORT void pynav_call_range(void *entry, void *slots, int64_t begin, int64_t end) {
    int64_t started = now();
    call((kernel_entry)entry, slots, begin, end);
    atomic_store_explicit(&thread_ran[0], 1, memory_order_relaxed);
    kernel_nanoseconds += now() - started;
}

/* Nanoseconds that the calling thread spent in kernels, ever. */
EXPORT int64_t pynav_kernel_nanoseconds(void) { return kernel_nanoseconds; }

EXPORT int pynav_threads_used(void) {
    int used = 0;
    for (int i = 0; i < MOST_THREADS; i++) used += atomic_load_explicit(&thread_ran[i], memory_order_relaxed);
    return used;
}

EXPORT void pynav_forget_threads_used(void) {
    for (int i = 0; i < MOST_THREADS; i++) atomic_store_explicit(&thread_ran[i], 0, memory_order_relaxed);
}

/* ---- Jobs: a sliced kernel called again and again by one background thread, until its own flag says that it is done. ---- */

enum { JOB_IDLE, JOB_QUEUED, JOB_RUNNING };

typedef struct job {
    kernel_entry entry;
    void *slots;
    volatile int64_t *finished;   /* the kernel sets it to 1 */
    int gives_way;                /* it waits behind all jobs that don't, and lets them in after each slice */
    _Atomic int state, stop;
    _Atomic int64_t slices;
    struct job *next;
} job;

static pthread_mutex_t job_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t job_wake = PTHREAD_COND_INITIALIZER, job_idle = PTHREAD_COND_INITIALIZER;
static job *first_job;
static pthread_t job_thread;
static int job_thread_runs;
static _Atomic int job_thread_stops;

/* Stays off the processors while a frame needs all of them; for half of the time at most, so that work goes on however full frames
   are. `rested` is how much longer it has rested than worked. */
static int64_t rest(job *current, int64_t rested) {
    int64_t since = now();
    struct timespec limit = {0, 2000000};
    atomic_store(&job_rests, 1);
    while (atomic_load(&frame) && !atomic_load(&current->stop) && rested + now() - since < MOST_REST_NANOSECONDS)
        syscall(SYS_futex, (int *)&frame, FUTEX_WAIT_PRIVATE, 1, &limit, NULL, 0);
    atomic_store(&job_rests, 0);
    return rested + now() - since;
}

/* With the lock held: a place behind all others, but before those that give way. */
static void queue_up(job *item) {
    job **link = &first_job;
    while (*link && (item->gives_way || !(*link)->gives_way)) link = &(*link)->next;
    item->next = *link;
    *link = item;
    atomic_store(&item->state, JOB_QUEUED);
}

static int must_give_way(const job *current) {
    if (!current->gives_way) return 0;
    pthread_mutex_lock(&job_lock);
    int must = first_job && !first_job->gives_way;
    pthread_mutex_unlock(&job_lock);
    return must;
}

static void *job_main(void *unused) {
    (void)unused;
    int64_t rested = 0;
    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), 10);  /* frames go first */
    pthread_mutex_lock(&job_lock);
    while (!atomic_load(&job_thread_stops)) {
        job *current = first_job;
        if (current == NULL) {
            pthread_cond_wait(&job_wake, &job_lock);
            rested = 0;
            continue;
        }
        first_job = current->next;
        atomic_store(&current->state, JOB_RUNNING);
        pthread_mutex_unlock(&job_lock);
        int gave_way = 0;
        while (!*current->finished && !atomic_load(&current->stop) && !atomic_load(&job_thread_stops)) {
            if (must_give_way(current)) {
                gave_way = 1;
                break;
            }
            if (atomic_load(&frame) && rested < MOST_REST_NANOSECONDS) {
                rested = rest(current, rested);
                continue;
            }
            int64_t began = now();
            call(current->entry, current->slots, 0, 0);
            atomic_fetch_add(&current->slices, 1);
            rested -= now() - began;
            if (rested < 0) rested = 0;
        }
        pthread_mutex_lock(&job_lock);
        if (gave_way && !atomic_load(&current->stop) && !atomic_load(&job_thread_stops)) {
            queue_up(current);
            continue;
        }
        atomic_store(&current->state, JOB_IDLE);
        pthread_cond_broadcast(&job_idle);
    }
    pthread_mutex_unlock(&job_lock);
    return NULL;
}

EXPORT void *pynav_job_new(void *entry, void *slots, int64_t *finished, int gives_way) {
    job *made = calloc(1, sizeof *made);
    if (made == NULL) return NULL;
    made->entry = (kernel_entry)entry;
    made->slots = slots;
    made->finished = finished;
    made->gives_way = gives_way;
    return made;
}

/* Returns 1 if the job was queued, 0 if no thread could be started. */
EXPORT int pynav_job_start(void *handle) {
    job *item = handle;
    pthread_mutex_lock(&job_lock);
    if (!job_thread_runs) {
        atomic_store(&job_thread_stops, 0);
        job_thread_runs = pthread_create(&job_thread, NULL, job_main, NULL) == 0;
    }
    int queued = job_thread_runs;
    if (queued && atomic_load(&item->state) == JOB_IDLE) {
        atomic_store(&item->stop, 0);
        queue_up(item);
        pthread_cond_signal(&job_wake);
    }
    pthread_mutex_unlock(&job_lock);
    return queued;
}

EXPORT int pynav_job_state(void *handle) { return atomic_load(&((job *)handle)->state); }
EXPORT int64_t pynav_job_slices(void *handle) { return atomic_load(&((job *)handle)->slices); }

/* Tells the thread to leave the job alone. It may still be at a slice of it: see pynav_job_state. */
EXPORT void pynav_job_dismiss(void *handle) {
    job *item = handle;
    atomic_store(&item->stop, 1);
    pthread_mutex_lock(&job_lock);
    if (atomic_load(&item->state) == JOB_QUEUED) {
        job **link = &first_job;
        while (*link && *link != item) link = &(*link)->next;
        if (*link) *link = item->next;
        atomic_store(&item->state, JOB_IDLE);
    }
    pthread_mutex_unlock(&job_lock);
}

/* Takes the job back from the thread; waits for at most the slice in progress. */
EXPORT void pynav_job_stop(void *handle) {
    job *item = handle;
    pynav_job_dismiss(handle);
    pthread_mutex_lock(&job_lock);
    while (atomic_load(&item->state) == JOB_RUNNING) pthread_cond_wait(&job_idle, &job_lock);
    pthread_mutex_unlock(&job_lock);
}

EXPORT void pynav_job_free(void *handle) {
    pynav_job_stop(handle);
    free(handle);
}

/* Ends all threads; the pool works on with the calling thread alone. */
EXPORT void pynav_shutdown(void) {
    pynav_set_threads(1);
    pthread_mutex_lock(&job_lock);
    int runs = job_thread_runs;
    atomic_store(&job_thread_stops, 1);
    for (job *item = first_job; item; item = item->next) atomic_store(&item->state, JOB_IDLE);
    first_job = NULL;
    pthread_cond_broadcast(&job_wake);
    pthread_mutex_unlock(&job_lock);
    if (runs) pthread_join(job_thread, NULL);
    job_thread_runs = 0;
}

/* ---- The kernel library ---- */

EXPORT void *pynav_open_library(const char *path) { return dlopen(path, RTLD_NOW | RTLD_LOCAL); }
EXPORT void *pynav_find_symbol(void *library, const char *name) { return dlsym(library, name); }
EXPORT const char *pynav_open_error(void) { const char *text = dlerror(); return text ? text : ""; }

/* 3: x86-64-v3; 1: older x86-64 or another processor. */
EXPORT int pynav_processor_level(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2"))
        return 3;
#endif
    return 1;
}

package org.trellis.mesh.checkpoint;

import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes checkpoints and their log on a thread of its own. On several ranks the first lists the files of all on another
 * thread: its program never waits for what only the program of another rank can bring about.
 */
final class CheckpointWriter implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(CheckpointWriter.class.getName());
    private static final int LOOK_MILLISECONDS = 5;
    /** How long the first rank waits for files of the others once the program has ended. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Checkpoints options;
    private final Path file;
    private final LogFile log;
    private final ExecutorService thread = one("trellis-checkpoint");
    private final ExecutorService copier = one("trellis-checkpoint-copy");
    private final ExecutorService indexer = one("trellis-checkpoint-ranks");
    /** How long the first rank waits for the file of another that does not grow. */
    private final Duration patience;
    /** Whether the file in place may become the previous one. */
    private boolean keep;
    /** Whether the file in place is of this run. */
    private boolean own;
    /** The number of the checkpoint in place. */
    private int last;
    private Future<?> running;
    private Job job;
    /** Checkpoints of which the first rank does not have the files of all ranks so far. */
    private final AtomicInteger incomplete = new AtomicInteger();
    private volatile boolean closing;
    private volatile boolean broken;

    /** A checkpoint that is being written. */
    static final class Job {
        private final CheckpointHead head;
        private final byte[] sequence;
        private final String before;
        private final long start;
        private final BlockingQueue<Optional<SavedDat>> values = new LinkedBlockingQueue<>();
        private int units;
        private long bytes;
        private final AtomicLong blocked = new AtomicLong();
        private volatile boolean abandoned;

        Job(CheckpointHead head, byte[] sequence, String before, long start) {
            this.start = start;
            this.head = head;
            this.sequence = sequence;
            this.before = before;
        }

        void add(SavedDat dat) {
            units += dat.dat().components();
            bytes += dat.bytes();
            values.add(Optional.of(dat));
        }

        /** Nothing more follows. */
        void end() {
            values.add(Optional.empty());
        }

        /** Nothing more follows, though not all is there: what has been written is of no use. */
        void abandon() {
            abandoned = true;
            end();
        }

        void block(long nanoseconds) {
            blocked.addAndGet(nanoseconds);
        }
    }

    /** A checkpoint for the thread that writes. */
    private record Writing(CheckpointWriter writer, Job job) implements Runnable {
        @Override
        public void run() {
            writer.run(job);
        }
    }

    /**
     * Prepares to write.
     *
     * @param options  what and how
     * @param file     where the last checkpoint is
     * @param log      of what the program reads
     * @param place    what is in the file
     * @param patience how long ranks wait for one another
     */
    CheckpointWriter(Checkpoints options, Path file, LogFile log, InPlace place, Duration patience) {
        this.options = options;
        this.file = file;
        this.log = log;
        this.keep = place.good();
        this.last = place.generation();
        this.patience = patience;
    }

    /**
     * What a run finds in its file.
     *
     * @param generation the number of the checkpoint
     * @param good       whether it may become the previous one
     */
    record InPlace(int generation, boolean good) {}

    private static ExecutorService one(String name) {
        return Executors.newSingleThreadExecutor(task -> {
            Thread made = new Thread(task, name);
            made.setDaemon(true);
            return made;
        });
    }

    /** Has the thread that writes started before it is needed. */
    void wake() {
        flush();
    }

    /** Has memory for copies made before it is needed. */
    void prepare(Runnable preparation) {
        copier.execute(preparation);
    }

    /** Has values copied while the program goes on, if it lets them be for a while. */
    void copyAhead(SavedDat dat) {
        copier.execute(dat::copyAhead);
    }

    /** Says whether the last checkpoint is still being written. */
    boolean isBusy() {
        return incomplete.get() > 0 || (running != null && !running.isDone());
    }

    /** Adds what the program has read to the log. */
    void log(LogRecord record) {
        if (log.add(record)) {
            flush();
        }
    }

    private void flush() {
        byte[] bytes = log.take();
        thread.execute(() -> {
            try {
                log.append(bytes);
            } catch (IOException e) {
                broken = true;
                LOGGER.log(System.Logger.Level.WARNING, "the log " + log.file()
                        + " cannot be written, there will be no more checkpoints", e);
            }
        });
    }

    long logged() {
        return log.length();
    }

    String logName() {
        return log.file().getFileName().toString();
    }

    /** Begins with a checkpoint, when the one before is done. */
    void begin(Job wanted) {
        await();
        job = wanted;
        flush();
        running = thread.submit(new Writing(this, wanted));
    }

    /**
     * Waits until this rank is writing nothing. There is no limit, for there is no other rank in it: the thread that
     * writes waits for the disk, and for values only of a checkpoint that this rank's program is still giving it.
     */
    void await() {
        if (running == null) {
            return;
        }
        try {
            running.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CheckpointException("interrupted while checkpoint " + job.head.generation() + " was written", e);
        } catch (ExecutionException e) {
            throw new CheckpointException("checkpoint " + job.head.generation() + " failed", e.getCause());
        }
    }

    private void run(Job wanted) {
        Outcome written = attempt(wanted, () -> write(wanted));
        if (wanted.head.ranks() == 1 || wanted.head.rank() > 0 || written.failure().isPresent()) {
            report(wanted, written);
            return;
        }
        incomplete.incrementAndGet();
        indexer.execute(() -> {
            Outcome listed = attempt(wanted, () -> {
                index(wanted.head);
                return written.length();
            });
            report(wanted, listed);
            incomplete.decrementAndGet();
        });
    }

    /** What has become of a checkpoint. */
    private record Outcome(long length, Optional<String> failure) {}

    /** A part of the work. */
    private interface Work {
        /** Does it; returns the length of a file. */
        long run() throws IOException, InterruptedException;
    }

    @SuppressWarnings("checkstyle:IllegalCatch") // whatever fails, the program goes on without this checkpoint
    private Outcome attempt(Job wanted, Work work) {
        try {
            if (broken) {
                throw new IOException("the log " + log.file() + " could not be written");
            }
            return new Outcome(work.run(), Optional.empty());
        } catch (IOException | RuntimeException e) {
            LOGGER.log(System.Logger.Level.WARNING, "checkpoint " + wanted.head.generation() + " into " + file
                    + " failed, the one before stays", e);
            return new Outcome(0, Optional.of(String.valueOf(e.getMessage())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Outcome(0, Optional.of("interrupted"));
        }
    }

    private void report(Job wanted, Outcome outcome) {
        options.report(new CheckpointReport(wanted.head.generation(), wanted.head.position(), wanted.before,
                wanted.units, wanted.bytes, outcome.length(), 1e-9 * (System.nanoTime() - wanted.start),
                1e-9 * wanted.blocked.get(), outcome.failure()));
    }

    /** Writes what there is and, as they come, dats. */
    static void write(Job wanted, BlockOutput blocks) throws IOException, InterruptedException {
        DataOutputStream out = new DataOutputStream(blocks);
        out.writeByte(CheckpointFiles.VALUES);
        wanted.head.write(out);
        out.write(wanted.sequence);
        for (SavedDat dat = wanted.values.take().orElse(null); dat != null; dat = wanted.values.take().orElse(null)) {
            out.writeByte(1);
            dat.write(out);
        }
        if (wanted.abandoned) {
            throw new IOException("the program ended before all values of the checkpoint were taken");
        }
        out.writeByte(0);
        blocks.finish();
    }

    private long write(Job wanted) throws IOException, InterruptedException {
        boolean ranked = wanted.head.ranks() > 1;
        Path target = ranked ? CheckpointFiles.ofRank(file, wanted.head.generation(), wanted.head.rank()) : file;
        long length = replace(target, !ranked && keep, true, blocks -> write(wanted, blocks));
        if (!ranked) {
            completed(wanted.head);
        }
        return length;
    }

    /** What a file consists of. */
    private interface Contents {
        /** Writes it. */
        void write(BlockOutput blocks) throws IOException, InterruptedException;
    }

    /**
     * Writes a file beside its place and moves it there when it is whole; leaves nothing if that fails. Files with
     * values need the log, which belongs to the thread that writes them; the list of ranks does not, nor compression.
     */
    private long replace(Path target, boolean keeps, boolean needsLog, Contents contents)
            throws IOException, InterruptedException {
        Path fresh = CheckpointFiles.fresh(target);
        boolean done = false;
        try {
            long length;
            try (FileChannel channel = FileChannel.open(fresh, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
                    StandardOpenOption.TRUNCATE_EXISTING);
                    OutputStream sink = options.sink().apply(Channels.newOutputStream(channel));
                    BlockOutput blocks = new BlockOutput(sink, needsLog && options.compressed())) {
                contents.write(blocks);
                channel.force(true);
                length = blocks.written();
            }
            if (needsLog) {
                log.force();
            }
            CheckpointFiles.replace(fresh, target, keeps);
            done = true;
            return length;
        } finally {
            if (!done) {
                Files.deleteIfExists(fresh);
            }
        }
    }

    /** Lists the files of all ranks, when all are there. */
    private void index(CheckpointHead head) throws IOException, InterruptedException {
        for (int rank = 0; rank < head.ranks(); rank++) {
            awaitFile(head, rank);
        }
        // what the log needs for this checkpoint was forced with this rank's own file, on the thread that writes it
        replace(file, keep, false, blocks -> {
            DataOutputStream out = new DataOutputStream(blocks);
            out.writeByte(CheckpointFiles.INDEX);
            out.writeLong(head.run());
            out.writeInt(head.generation());
            out.writeInt(head.ranks());
            blocks.finish();
        });
        completed(head);
    }

    /** Waits for the file of a rank as long as it grows, and for a while if it does not. */
    private void awaitFile(CheckpointHead head, int rank) throws IOException, InterruptedException {
        Path values = CheckpointFiles.ofRank(file, head.generation(), rank);
        Path growing = CheckpointFiles.fresh(values);
        long size = -1;
        long since = System.nanoTime();
        boolean ended = closing;
        while (!isOfRun(values, head)) {
            long now = Files.exists(growing) ? growing.toFile().length() : -1;
            if (now != size || closing != ended) {
                size = now;
                since = System.nanoTime();
                ended = closing;
            }
            Duration limit = ended && patience.compareTo(PATIENCE) > 0 ? PATIENCE : patience;
            if (System.nanoTime() - since > limit.toNanos()) {
                throw new IOException("rank 0 has waited " + limit.toSeconds() + " s for " + values + " of rank "
                        + rank + ", which does not come" + (ended ? "; the program has ended" : ""));
            }
            Thread.sleep(LOOK_MILLISECONDS);
        }
    }

    /** Once this run has put two checkpoints in place, nothing needs older files any more. */
    private void completed(CheckpointHead head) throws IOException {
        if (keep && own) {
            CheckpointFiles.sweep(file, last, head.run(), log.file());
        }
        keep = true;
        own = true;
        last = head.generation();
    }

    /** Says whether a file has been put in place by a rank for this checkpoint, and not by a run before. */
    private static boolean isOfRun(Path values, CheckpointHead head) throws IOException {
        if (!Files.exists(values)) {
            return false;
        }
        try (SavedState.Opened opened = SavedState.open(values)) {
            return opened.head().run() == head.run() && opened.head().generation() == head.generation()
                    && opened.head().position() == head.position() && opened.head().ranks() == head.ranks();
        } catch (CheckpointException | EOFException | NoSuchFileException e) {
            return false; // left by a run before, or being replaced
        }
    }

    /** Ends when everything has been written. */
    @Override
    public void close() {
        closing = true;
        flush();
        copier.shutdown();
        boolean interrupted = end(thread, file + " is being written");
        interrupted |= end(indexer, "files of all ranks for " + file + " are awaited");
        try {
            log.close();
        } catch (IOException e) {
            throw new CheckpointException(log.file() + " cannot be closed", e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Waits until a thread has done what it has to, since another program may begin with the files afterwards. The
     * thread that lists files of ranks has limits of its own, and one that writes waits for the disk alone. A rank
     * that is interrupted, as when its job has failed, gives it little time. Says whether it was interrupted.
     */
    private static boolean end(ExecutorService service, String what) {
        service.shutdown();
        boolean interrupted = false;
        boolean stopped = false;
        long limit = System.nanoTime() + TimeUnit.DAYS.toNanos(1);
        while (!service.isTerminated()) {
            if (System.nanoTime() > limit && stopped) {
                LOGGER.log(System.Logger.Level.WARNING, what + ", which does not end");
                return interrupted;
            }
            if (System.nanoTime() > limit) {
                service.shutdownNow();
                stopped = true;
                limit = System.nanoTime() + PATIENCE.toNanos();
            }
            try {
                service.awaitTermination(LOOK_MILLISECONDS, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
                limit = Math.min(limit, System.nanoTime() + PATIENCE.toNanos());
            }
        }
        return interrupted;
    }
}

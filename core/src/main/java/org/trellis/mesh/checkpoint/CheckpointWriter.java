package org.trellis.mesh.checkpoint;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Writes checkpoints and their log on a thread of its own. */
final class CheckpointWriter implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(CheckpointWriter.class.getName());
    private static final int LOOK_MILLISECONDS = 5;
    /** How long the first rank waits for files of the others once the program has ended. */
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(5);

    private final Checkpoints options;
    private final Path file;
    private final LogFile log;
    private final ExecutorService thread = one("trellis-checkpoint");
    private final ExecutorService copier = one("trellis-checkpoint-copy");
    /** Whether the file in place may become the previous one. */
    private boolean keep;
    /** Whether the file in place is of this run. */
    private boolean own;
    private Future<?> running;
    private Job job;
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

    CheckpointWriter(Checkpoints options, Path file, LogFile log, boolean keep) {
        this.options = options;
        this.file = file;
        this.log = log;
        this.keep = keep;
    }

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
        return running != null && !running.isDone();
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

    /** Waits until nothing is being written. */
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

    @SuppressWarnings("checkstyle:IllegalCatch") // whatever fails, the program goes on without this checkpoint
    private void run(Job wanted) {
        long length = 0;
        Optional<String> failure = Optional.empty();
        try {
            if (broken) {
                throw new IOException("the log " + log.file() + " could not be written");
            }
            length = write(wanted);
        } catch (IOException | RuntimeException e) {
            failure = Optional.of(String.valueOf(e.getMessage()));
            LOGGER.log(System.Logger.Level.WARNING, "checkpoint " + wanted.head.generation() + " into " + file
                    + " failed, the one before stays", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failure = Optional.of("interrupted");
        }
        options.report(new CheckpointReport(wanted.head.generation(), wanted.head.position(), wanted.before,
                wanted.units, wanted.bytes, length, 1e-9 * (System.nanoTime() - wanted.start),
                1e-9 * wanted.blocked.get(), failure));
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
        out.writeByte(0);
        blocks.finish();
    }

    private long write(Job wanted) throws IOException, InterruptedException {
        boolean ranked = wanted.head.ranks() > 1;
        Path target = ranked ? CheckpointFiles.ofRank(file, wanted.head.generation(), wanted.head.rank()) : file;
        Path fresh = CheckpointFiles.fresh(target);
        long length;
        try (FileChannel channel = FileChannel.open(fresh, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING);
                OutputStream sink = options.sink().apply(Channels.newOutputStream(channel));
                BlockOutput blocks = new BlockOutput(sink, options.compressed())) {
            write(wanted, blocks);
            channel.force(true);
            length = blocks.written();
        }
        log.force();
        if (!ranked) {
            CheckpointFiles.replace(fresh, target, keep);
            completed(wanted.head);
            return length;
        }
        CheckpointFiles.replace(fresh, target, false);
        if (wanted.head.rank() == 0) {
            index(wanted.head);
        }
        return length;
    }

    /** Lists the files of all ranks, when all are there. */
    private void index(CheckpointHead head) throws IOException, InterruptedException {
        long since = 0;
        for (int rank = 0; rank < head.ranks(); rank++) {
            Path values = CheckpointFiles.ofRank(file, head.generation(), rank);
            while (!isOfRun(values, head)) {
                since = closing && since == 0 ? System.nanoTime() : since;
                if (since != 0 && System.nanoTime() - since > PATIENCE) {
                    throw new IOException(values + " is not there, although the program has ended");
                }
                Thread.sleep(LOOK_MILLISECONDS);
            }
        }
        Path fresh = CheckpointFiles.fresh(file);
        try (FileChannel channel = FileChannel.open(fresh, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING);
                OutputStream sink = options.sink().apply(Channels.newOutputStream(channel));
                BlockOutput blocks = new BlockOutput(sink, false)) {
            DataOutputStream out = new DataOutputStream(blocks);
            out.writeByte(CheckpointFiles.INDEX);
            out.writeLong(head.run());
            out.writeInt(head.generation());
            out.writeInt(head.ranks());
            blocks.finish();
            channel.force(true);
        }
        CheckpointFiles.replace(fresh, file, keep);
        completed(head);
    }

    /** Once this run has put two checkpoints in place, nothing needs older files any more. */
    private void completed(CheckpointHead head) throws IOException {
        if (keep && own) {
            CheckpointFiles.sweep(file, head.generation(), log.file());
        }
        keep = true;
        own = true;
    }

    /** Says whether a file has been put in place by a rank for this checkpoint, and not by a run before. */
    private static boolean isOfRun(Path values, CheckpointHead head) throws IOException {
        if (!Files.exists(values)) {
            return false;
        }
        try (SavedState.Opened opened = SavedState.open(values)) {
            return opened.head().run() == head.run() && opened.head().generation() == head.generation()
                    && opened.head().position() == head.position() && opened.head().ranks() == head.ranks();
        }
    }

    /** Ends when everything has been written. */
    @Override
    public void close() {
        closing = true;
        flush();
        copier.shutdown();
        thread.shutdown();
        try {
            if (!thread.awaitTermination(1, TimeUnit.DAYS)) {
                throw new CheckpointException("a checkpoint has been written for a day, expected it to end");
            }
            log.close();
        } catch (InterruptedException e) {
            thread.shutdownNow();
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new CheckpointException(log.file() + " cannot be closed", e);
        }
    }
}

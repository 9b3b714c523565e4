package org.trellis.mesh.checkpoint;

import com.google.errorprone.annotations.MustBeClosed;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.trellis.mesh.device.HostStorage;
import org.trellis.mesh.device.ScalarType;
import org.trellis.mesh.loop.Layout;

/** A checkpoint that has been found whole: its files, and what is in them. */
final class SavedState {
    private static final System.Logger LOGGER = System.getLogger(SavedState.class.getName());
    private static final int BUFFER = 1 << 17;

    private final Path named;
    private final boolean older;
    private final List<Path> values;
    private final CheckpointHead head;
    private final StepSequence.Cursor steps;
    private final Path log;

    private SavedState(Path named, boolean older, List<Path> values) throws IOException {
        this.named = named;
        this.older = older;
        this.values = values;
        try (Opened first = open(values.getFirst())) {
            this.head = first.head();
            this.steps = first.steps();
        }
        this.log = wholeLog(named.resolveSibling(head.log()), head.logged());
    }

    /** Finds the log, or its copy, that has not been damaged. */
    private static Path wholeLog(Path log, long end) throws IOException {
        try {
            ReadLog.verify(log, end);
            return log;
        } catch (IOException | CheckpointException e) {
            Path copy = CheckpointFiles.copy(log);
            try {
                ReadLog.verify(copy, end);
            } catch (NoSuchFileException none) {
                e.addSuppressed(none);
                throw e;
            } catch (IOException | CheckpointException both) {
                throw new CheckpointException(e.getMessage() + "; and its copy: " + both.getMessage(), both);
            }
            LOGGER.log(System.Logger.Level.WARNING, "the copy " + copy + " is taken; " + e.getMessage());
            return copy;
        }
    }

    /**
     * The values of a dat on a rank.
     *
     * @param name       the dat
     * @param components of an element
     * @param layout     of the values
     * @param validity   how far those of other ranks' elements are up to date
     * @param owned      how many elements the rank owned
     * @param users      the user's number of each element; null if all are there in the user's order
     * @param values     the values
     */
    record Values(String name, int components, Layout layout, int validity, int owned, int[] users,
            HostStorage values) {}

    /** A file of values that is being read. */
    static final class Opened implements AutoCloseable {
        private final Path file;
        private final DataInputStream in;
        private final CheckpointHead head;
        private final StepSequence.Cursor steps;

        @SuppressWarnings({"MustBeClosed", "checkstyle:IllegalCatch"}) // closed with this, or after any failure
        private Opened(Path file) throws IOException {
            this.file = file;
            this.in = new DataInputStream(new BlockInput(file));
            try {
                int kind = in.readByte();
                if (kind != CheckpointFiles.VALUES) {
                    throw new CheckpointException(file + " is of kind " + kind + ", expected values ("
                            + CheckpointFiles.VALUES + ")");
                }
                this.head = CheckpointHead.read(in);
                this.steps = new StepSequence.Cursor(in);
            } catch (IOException | RuntimeException e) {
                in.close();
                throw e;
            }
        }

        CheckpointHead head() {
            return head;
        }

        StepSequence.Cursor steps() {
            return steps;
        }

        /** Returns the next dat, or null at the end. */
        Values next() throws IOException {
            if (in.readByte() == 0) {
                return null;
            }
            String name = in.readUTF();
            in.readUTF();
            int components = in.readInt();
            ScalarType type = Codes.type(in.readByte());
            Layout layout = Codes.layout(in.readByte());
            int validity = in.readInt();
            int owned = in.readInt();
            int elements = in.readInt();
            int[] users = null;
            if (in.readBoolean()) {
                users = new int[elements];
                for (int e = 0; e < elements; e++) {
                    users[e] = in.readInt();
                }
            }
            HostStorage values = HostStorage.zeros(type, elements * components);
            read(values);
            return new Values(name, components, layout, validity, owned, users, values);
        }

        private void read(HostStorage values) throws IOException {
            int bytes = values.type().bytes();
            byte[] piece = new byte[BUFFER];
            int most = BUFFER / bytes;
            for (int from = 0; from < values.length(); from += most) {
                int count = Math.min(most, values.length() - from);
                in.readFully(piece, 0, count * bytes);
                ByteBuffer buffer = ByteBuffer.wrap(piece).order(ByteOrder.LITTLE_ENDIAN);
                switch (values.type()) {
                    case F64 -> buffer.asDoubleBuffer().get((double[]) values.array(), from, count);
                    case F32 -> buffer.asFloatBuffer().get((float[]) values.array(), from, count);
                    case INT -> buffer.asIntBuffer().get((int[]) values.array(), from, count);
                }
            }
        }

        private void readToEnd() throws IOException {
            byte[] piece = new byte[BUFFER];
            int count = in.read(piece);
            while (count >= 0) {
                count = in.read(piece);
            }
        }

        @Override
        public void close() throws IOException {
            in.close();
        }

        @Override
        public String toString() {
            return file.toString();
        }
    }

    @MustBeClosed
    static Opened open(Path file) throws IOException {
        return new Opened(file);
    }

    /**
     * Finds the last checkpoint that is whole.
     *
     * @param file the name that the checkpoints were given
     * @return the checkpoint
     * @throws CheckpointException if there is none; says what is wrong with those that are there
     */
    static SavedState find(Path file) {
        StringBuilder wrong = new StringBuilder();
        for (Path candidate : List.of(file, CheckpointFiles.previous(file))) {
            try {
                SavedState found = verified(file, candidate, !candidate.equals(file));
                if (!wrong.isEmpty()) {
                    LOGGER.log(System.Logger.Level.WARNING, "the older checkpoint " + candidate + " is taken" + wrong);
                }
                return found;
            } catch (NoSuchFileException e) {
                wrong.append("; ").append(e.getMessage()).append(" does not exist");
            } catch (EOFException e) {
                wrong.append("; ").append(candidate).append(" ends within what it says, expected more: it is damaged");
            } catch (IOException | CheckpointException e) {
                wrong.append("; ").append(e.getMessage());
            }
        }
        throw new CheckpointException("no checkpoint to start from" + wrong);
    }

    /** Returns the number of the checkpoint in a file, or 0 if there is none that can be read. */
    static int generation(Path file) {
        if (!Files.exists(file)) {
            return 0;
        }
        try (DataInputStream in = new DataInputStream(new BlockInput(file))) {
            in.readByte();
            in.readLong();
            return in.readInt();
        } catch (IOException | CheckpointException e) {
            LOGGER.log(System.Logger.Level.WARNING, "what is in " + file + " is no checkpoint and will be replaced", e);
            return 0;
        }
    }

    private static SavedState verified(Path named, Path candidate, boolean older) throws IOException {
        List<Path> values = new ArrayList<>();
        try (DataInputStream in = new DataInputStream(new BlockInput(candidate))) {
            int kind = in.readByte();
            if (kind == CheckpointFiles.INDEX) {
                long run = in.readLong();
                int generation = in.readInt();
                int ranks = in.readInt();
                requireEnd(candidate, in);
                for (int rank = 0; rank < ranks; rank++) {
                    Path one = CheckpointFiles.ofRank(named, generation, rank);
                    values.add(one);
                    verify(one, run, generation);
                }
            } else {
                values.add(candidate);
                verify(candidate, 0, 0);
            }
        }
        return new SavedState(named, older, values);
    }

    private static void requireEnd(Path file, DataInputStream in) throws IOException {
        if (in.read() >= 0) {
            throw new CheckpointException(file + " goes on after its list of ranks, expected its end");
        }
    }

    /** Reads a file to its end, since damage may be anywhere. */
    private static void verify(Path file, long run, int generation) throws IOException {
        try (Opened opened = open(file)) {
            if (generation != 0 && (opened.head().run() != run || opened.head().generation() != generation)) {
                throw new CheckpointException(file + " is checkpoint " + opened.head().generation() + " of run "
                        + Long.toHexString(opened.head().run()) + ", expected " + generation + " of "
                        + Long.toHexString(run));
            }
            opened.readToEnd();
        }
    }

    CheckpointHead head() {
        return head;
    }

    StepSequence.Cursor steps() {
        return steps;
    }

    /** Returns the files of all ranks. */
    List<Path> values() {
        return values;
    }

    /** Returns the log, or its copy if that is the one that is whole. */
    Path log() {
        return log;
    }

    /** Says whether the newest file was damaged or missing. */
    boolean older() {
        return older;
    }

    /** Says whether there is a file at all. */
    static boolean exists(Path file) {
        return Files.exists(file) || Files.exists(CheckpointFiles.previous(file));
    }

    @Override
    public String toString() {
        return "checkpoint " + head.generation() + " in " + named;
    }
}

package org.trellis.mesh.checkpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.device.HostStorage;
import org.trellis.mesh.device.ScalarType;
import org.trellis.testing.TestSeed;

/** Values that are written while a copier and the program are at them, in every order. */
class SavedDatTest {
    /** More than are copied as one. */
    private static final int SIZE = (1 << 19) + 777;

    /** Does something when so many bytes have been written. */
    private static final class Interrupted extends ByteArrayOutputStream {
        private final int first;
        private final int second;
        private final Runnable copying;
        private final Runnable changing;

        Interrupted(int first, Runnable copying, int second, Runnable changing) {
            this.first = first;
            this.second = second;
            this.copying = copying;
            this.changing = changing;
        }

        @Override
        public synchronized void write(byte[] bytes, int offset, int length) {
            int before = size();
            super.write(bytes, offset, length);
            if (before <= first && first < size()) {
                copying.run();
            }
            if (before <= second && second < size()) {
                changing.run();
            }
        }
    }

    private static float value(int index) {
        return 0.5f * index;
    }

    /** Returns what is written of a dat that is copied and changed after so many bytes. */
    private static float[] written(Mesh mesh, CopyBuffer room, int copying, int changing) throws IOException {
        Dat dat = mesh.dats().getFirst();
        float[] array = (float[]) ((HostStorage) dat.storage()).array();
        for (int i = 0; i < SIZE; i++) {
            array[i] = value(i);
        }
        SavedDat saved = new SavedDat(dat, dat.name(), room);
        Interrupted bytes = new Interrupted(copying, saved::copyAhead, changing, () -> {
            saved.detach();
            Arrays.fill(array, -1);
        });
        saved.write(new DataOutputStream(bytes));
        float[] values = new float[SIZE];
        ByteBuffer.wrap(bytes.toByteArray()).order(ByteOrder.LITTLE_ENDIAN)
                .position(bytes.size() - SIZE * Float.BYTES).asFloatBuffer().get(values);
        return values;
    }

    @Test
    void whatIsWrittenIsFromBeforeTheChange() throws IOException {
        SplittableRandom random = TestSeed.random("saved");
        float[] expected = new float[SIZE];
        for (int i = 0; i < SIZE; i++) {
            expected[i] = value(i);
        }
        int all = SIZE * Float.BYTES;
        try (Backend backend = Backends.open("reference", Configuration.load()); Mesh mesh = Mesh.on(backend)) {
            mesh.dat("values", mesh.set("set", SIZE), 1, Precision.F32);
            CopyBuffer room = new CopyBuffer();
            // Never copied, copied before the change and after it, and nothing changed at all.
            int[][] orders = {{all * 2, 1}, {0, all / 2}, {all / 2, all / 2}, {all / 2, 0}, {0, all - 1},
                {all / 3, all * 2}, {random.nextInt(all), random.nextInt(all)}};
            for (int[] order : orders) {
                assertArrayEquals(expected, written(mesh, room, order[0], order[1]),
                        () -> "copied after " + order[0] + ", changed after " + order[1] + " of " + all
                                + " bytes, seed " + TestSeed.value());
            }
        }
    }

    @Test
    void roomIsMadeOnce() {
        CopyBuffer room = new CopyBuffer();
        room.prepare(ScalarType.F64, 5);
        HostStorage first = room.take(ScalarType.F64, 5);
        assertEquals(5, first.length());
        room.give(first);
        room.prepare(ScalarType.F64, 5);
        assertSame(first, room.take(ScalarType.F64, 5));
        HostStorage second = room.take(ScalarType.F64, 5);
        assertNotSame(first, second);
        room.give(second);
        assertEquals(ScalarType.INT, room.take(ScalarType.INT, 5).type());
        assertEquals(6, room.take(ScalarType.F32, 6).length());
    }

    /** A program that ends while its values cannot be taken leaves no half of a checkpoint, and its writer ends. */
    @Test
    void abandonedCheckpointsAreNotWritten() {
        CheckpointWriter.Job job = CheckpointStart.of(new CheckpointStart.Name(0, 1, 0, 1, "", 0, Map.of()),
                new StepLog(null), Map.of(), "", System.nanoTime());
        job.abandon();
        try (BlockOutput blocks = new BlockOutput(OutputStream.nullOutputStream(), false)) {
            assertTrue(assertThrows(IOException.class, () -> CheckpointWriter.write(job, blocks)).getMessage()
                    .contains("before all values"));
        } catch (IOException e) {
            throw new UncheckedIOException("nowhere cannot be written to", e);
        }
    }
}

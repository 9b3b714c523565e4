package org.trellis.distributed.communicate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.cuda.emulation.EmulatedGpu;
import org.trellis.distributed.device.DeviceTransport;
import org.trellis.distributed.device.DeviceTransports;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.RingVector;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.powers.RingProduct;
import org.trellis.memory.HostVector;

/** Products whose messages MPI takes from the memory of devices, and brings there, against those of the host. */
final class DeviceMemoryProgram {
    private static final int ROWS = 400;
    private static final int STEPS = 7;

    private DeviceMemoryProgram() {}

    static String run(Communicator communicator) {
        try {
            Path folder = Files.createTempDirectory("trellis-devices");
            try (Backend device = EmulatedGpu.in(folder).open()) {
                return compare(communicator, device);
            } finally {
                try (Stream<Path> files = Files.walk(folder)) {
                    files.sorted(java.util.Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String compare(Communicator communicator, Backend device) {
        DeviceTransports transports =
                DeviceTransports.start(communicator, device, List.of(DeviceTransport.MPI)).orElseThrow();
        PartitionedMatrix matrix = PartitionedMatrix.generate(communicator, ROWS, Precision.F64, (row, out) -> {
            for (long column = Math.max(0, row - 3); column < Math.min(ROWS, row + 4); column++) {
                out.add(column, column == row ? 2 : -0.1 * (column % 5));
            }
        });
        try (HaloPlan plan = HaloPlan.of(matrix, 2, device); HaloPlan onHost = HaloPlan.of(matrix, 2)) {
            HostVector found = power(plan).gather(0);
            HostVector expected = power(onHost).gather(0);
            double error = 0;
            for (int i = 0; communicator.rank() == 0 && i < ROWS; i++) {
                error = Math.max(error, Math.abs(found.get(i) - expected.get(i)) / (1 + Math.abs(expected.get(i))));
            }
            return communicator.rank() == 0
                    ? "transport " + transports.transport(8) + ", " + plan.transport().orElse("none")
                            + ", right to 1e-12: " + (error < 1e-12)
                            + ", " + plan.messages(0) + " messages"
                    : null;
        }
    }

    private static RingVector power(HaloPlan plan) {
        RingProduct product = new RingProduct(plan);
        RingVector x = plan.vector(i -> Math.sin((double) i));
        RingVector y = plan.vector();
        for (int step = 0; step < STEPS; step++) {
            product.multiply(x, y);
            RingVector other = x;
            x = y;
            y = other;
        }
        return x;
    }
}

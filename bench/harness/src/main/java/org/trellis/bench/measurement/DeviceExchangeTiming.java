package org.trellis.bench.measurement;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.backend.DeviceTiming;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.device.DeviceExchange;
import org.trellis.distributed.device.DeviceReduction;
import org.trellis.memory.DenseVector;
import org.trellis.mesh.HaloKernels;
import org.trellis.mesh.LoopKernels;
import org.trellis.mesh.PreparedReduction;
import org.trellis.mesh.device.HaloParcel;
import org.trellis.mesh.device.HaloPart;
import org.trellis.mesh.device.ScalarType;

/**
 * Times exchanges of halos and combinations of a number between GPUs, as a program that is run where there are some:
 * {@code trellis measure device-exchange RANKS DEVICES}. Prints a line of JSON for each size, with the least of several
 * means of many in a row, of the slowest rank, in microseconds: so often the devices can do it one after the other.
 */
final class DeviceExchangeTiming {
    private static final int[] VALUES = {1, 1024, 8192, 131072, 2097152};
    private static final int REPETITIONS = 400;
    private static final int ROUNDS = 7;

    private DeviceExchangeTiming() {}

    static void start(String... arguments) {
        int ranks = Integer.parseInt(arguments[0]);
        int devices = Integer.parseInt(arguments[1]);
        ThreadRanks.run(ranks, communicator -> {
            Configuration configuration = Configuration.builder()
                    .set(ConfigurationKeys.CUDA_DEVICE, communicator.rank() % devices).build();
            try (Backend backend = Backends.open("cuda", configuration)) {
                run(communicator, backend, devices);
            }
            return null;
        });
    }

    private static void run(Communicator communicator, Backend backend, int devices) {
        DeviceTiming timing = backend.kernels(DeviceTiming.class);
        for (int v = 0; v < VALUES.length; v++) {
            try (DenseVector vector = backend.vector(Precision.F64, 2 * VALUES[v]);
                    DeviceExchange exchange = exchange(communicator, backend, 2 * v, VALUES[v])) {
                exchange.bind(0, backend.kernels(LoopKernels.class).wrap(vector), 1, 1);
                double seconds = time(communicator, timing, () -> {
                    exchange.start();
                    exchange.finish();
                });
                print(communicator, String.format(Locale.ROOT, "{\"what\": \"exchange\", \"ranks\": %d, \"devices\": "
                        + "%d, \"bytes\": %d, \"transport\": \"%s\", \"microseconds\": %.2f}", communicator.size(),
                        devices,
                        VALUES[v] * Double.BYTES, exchange.transport(), seconds * 1e6));
            }
        }
        try (DenseVector vector = backend.vector(Precision.F64, 4);
                DeviceReduction reduction = DeviceReduction.of(communicator, 999, backend, 4).orElseThrow()) {
            double seconds = time(communicator, timing,
                    () -> reduction.combine(PreparedReduction.Operation.SUM, vector, 0, 1));
            print(communicator, String.format(Locale.ROOT, "{\"what\": \"all-reduce\", \"ranks\": %d, \"devices\": %d, "
                    + "\"microseconds\": %.2f}", communicator.size(), devices, seconds * 1e6));
        }
    }

    private static void print(Communicator communicator, String line) {
        if (communicator.rank() == 0) {
            System.out.println(line);
        }
    }

    /** Every rank sends the first half of its values to the next, into the second half there. */
    @MustBeClosed
    private static DeviceExchange exchange(Communicator communicator, Backend backend, int tag, int values) {
        List<DeviceExchange.Neighbour> sends = new ArrayList<>();
        List<DeviceExchange.Neighbour> receives = new ArrayList<>();
        int size = communicator.size();
        int[] first = new int[values];
        int[] second = new int[values];
        Arrays.setAll(first, i -> i);
        Arrays.setAll(second, i -> values + i);
        sends.add(new DeviceExchange.Neighbour((communicator.rank() + 1) % size, parcel(first)));
        receives.add(new DeviceExchange.Neighbour((communicator.rank() + size - 1) % size, parcel(second)));
        return new DeviceExchange(communicator, tag, backend.kernels(HaloKernels.class), sends, receives, 1);
    }

    private static HaloParcel parcel(int[] places) {
        return new HaloParcel(places.length * Double.BYTES, List.of(new HaloPart(0, places, 1, ScalarType.F64, 0)));
    }

    private static double time(Communicator communicator, DeviceTiming timing, Runnable work) {
        double[] best = {Double.POSITIVE_INFINITY};
        for (int round = 0; round < ROUNDS; round++) {
            timing.synchronize();
            communicator.barrier();
            long began = System.nanoTime();
            for (int i = 0; i < REPETITIONS; i++) {
                work.run();
            }
            timing.synchronize();
            communicator.barrier();
            best[0] = Math.min(best[0], (System.nanoTime() - began) * 1e-9 / REPETITIONS);
        }
        return best[0];
    }
}

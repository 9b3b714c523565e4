package org.trellis.examples.tsunami;

import java.io.IOException;
import java.nio.file.Path;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.distributed.communicate.MpiRanks;
import org.trellis.distributed.mesh.DistributedMesh;
import org.trellis.examples.OpenMpi;
import org.trellis.mesh.Mesh;

/** The tsunami on a process of a job of MPI; the first writes time, volume and state into the file that is named. */
final class TsunamiProcess {
    private TsunamiProcess() {}

    public static void main(String... arguments) throws IOException {
        double[][] found = new double[2][];
        boolean first = MpiRanks.run(TsunamiRanksTest.oneThread(), communicator -> {
            try (Backend backend = Backends.open("threads", TsunamiRanksTest.oneThread());
                    Mesh mesh = DistributedMesh.on(backend, communicator)) {
                TsunamiRanksTest.Sea sea = TsunamiRanksTest.wave(mesh);
                found[0] = new double[]{sea.time(), sea.volume()};
                found[1] = sea.state();
            }
            return communicator.rank() == 0;
        });
        if (first) {
            OpenMpi.write(Path.of(arguments[0]), found);
        }
    }
}

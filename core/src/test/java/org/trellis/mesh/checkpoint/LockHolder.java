package org.trellis.mesh.checkpoint;

import java.io.IOException;
import java.nio.file.Path;

/** A process that has the lock of a checkpoint until it is killed. */
final class LockHolder {
    private LockHolder() {}

    public static void main(String[] arguments) throws IOException {
        try (CheckpointLock lock = CheckpointLock.of(Path.of(arguments[0]))) {
            System.out.println(lock == null ? "" : "held");
            while (System.in.read() >= 0) {
                // until the parent ends
            }
        }
    }
}

package org.trellis.bench.peer.process;

import java.io.DataInputStream;
import java.io.IOException;
import org.trellis.bench.measure.TimedMatrixProduct;
import org.trellis.sparse.CsrMatrix;

/** A product of sparse matrices in another process, timed by that process. */
final class ProcessMatrixProduct implements TimedMatrixProduct {
    private final PeerProcess process;
    private final int number;
    private final int linger;
    private boolean closed;

    private ProcessMatrixProduct(PeerProcess process, DataInputStream in) throws IOException {
        this.process = process;
        this.number = in.readInt();
        this.linger = in.readInt();
    }

    static ProcessMatrixProduct prepare(PeerProcess process, PeerProcess.Operands operands) {
        return process.ask(Request.PREPARE_MATRIX, operands, in -> new ProcessMatrixProduct(process, in));
    }

    @Override
    public void run() {
        seconds();
    }

    @Override
    public double seconds() {
        return process.ask(Request.RUN_MATRIX, out -> out.writeInt(number), DataInputStream::readDouble);
    }

    @Override
    public CsrMatrix result() {
        return process.ask(Request.MATRIX, out -> out.writeInt(number), Wire::readMatrix);
    }

    @Override
    public int lingerMilliseconds() {
        return linger;
    }

    @Override
    public void close() {
        if (!closed && process.isAlive()) {
            process.ask(Request.CLOSE_MATRIX, out -> out.writeInt(number), in -> true);
        }
        closed = true;
    }
}

package org.trellis.distributed.fem;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.IdentityHashMap;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.exchange.Exchange;
import org.trellis.distributed.exchange.ExchangePattern;
import org.trellis.fem.FormRanks;
import org.trellis.memory.DenseVector;
import org.trellis.mesh.LoopKernels;
import org.trellis.mesh.device.DatStorage;
import org.trellis.mesh.device.ScalarType;

/** Brings the unknowns of other ranks that a rank's cells have, one message from each neighbour. */
final class RankHalo implements FormRanks.Halo {
    private static final int TAG = 0;

    private final Communicator group;
    private final Exchange exchange;
    private final LoopKernels loops;
    private final IdentityHashMap<DenseVector, DatStorage> storages = new IdentityHashMap<>();

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    RankHalo(RankForms forms, FormRanks.Numbers numbers, Precision precision) {
        this.group = forms.communicator().split(0, forms.rank());
        ExchangePattern links = RankForms.links(group, numbers.total(), numbers.numbers(), numbers.owned());
        this.exchange = Exchange.of(group, TAG).part(0, links, 1, ScalarType.of(precision)).open(forms.carrier());
        this.loops = forms.own().kernels(LoopKernels.class);
    }

    @Override
    public void bring(DenseVector vector) {
        exchange.bind(0, storages.computeIfAbsent(vector, loops::wrap));
        exchange.start();
        exchange.finish();
    }

    @Override
    public void close() {
        exchange.close();
        group.close();
    }
}

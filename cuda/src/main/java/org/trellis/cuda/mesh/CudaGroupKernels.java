package org.trellis.cuda.mesh;

import com.google.errorprone.annotations.MustBeClosed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.trellis.common.BackendUnavailableException;
import org.trellis.common.ConfigurationKeys;
import org.trellis.cuda.driver.DeviceAttribute;
import org.trellis.cuda.driver.LibraryFinder;
import org.trellis.cuda.driver.NativeLibraries;
import org.trellis.cuda.driver.Nccl;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.NcclCommunicator;
import org.trellis.mesh.GroupKernels;
import org.trellis.mesh.PreparedReduction;
import org.trellis.mesh.device.DeviceGroup;

/** Groups of ranks by NCCL, which is looked for and loaded when it is asked for. */
final class CudaGroupKernels implements GroupKernels {
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

    private final CudaContext context;
    private final CudaGlobals globals;
    private final List<Path> places;
    private Nccl library;
    private String reason;

    CudaGroupKernels(CudaContext context, CudaGlobals globals, List<Path> places) {
        this.context = context;
        this.globals = globals;
        this.places = List.copyOf(places);
    }

    @Override
    public Optional<String> missing() {
        if (library == null && reason == null) {
            try {
                library = NativeLibraries.nccl(LibraryFinder.ofSystem(), places);
            } catch (BackendUnavailableException e) {
                reason = e.getMessage() + "; name it with " + ConfigurationKeys.CUDA_NCCL.name();
            }
        }
        return Optional.ofNullable(reason);
    }

    private Nccl library() {
        missing().ifPresent(why -> {
            throw new BackendUnavailableException(why);
        });
        return library;
    }

    /** The start of the host's system and the place of the device on its bus. */
    @Override
    public String deviceName() {
        int device = context.device().number();
        return host() + ' ' + context.driver().deviceAttribute(device, DeviceAttribute.PCI_DOMAIN) + ':'
                + context.driver().deviceAttribute(device, DeviceAttribute.PCI_BUS) + ':'
                + context.driver().deviceAttribute(device, DeviceAttribute.PCI_DEVICE);
    }

    private static String host() {
        try {
            return Files.readString(BOOT).strip();
        } catch (IOException e) {
            // Devices of one process are distinguished at least; NCCL finds out about others itself.
            return "process " + ProcessHandle.current().pid();
        }
    }

    @Override
    public byte[] newGroup() {
        context.makeCurrent();
        return library().uniqueId();
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with the group
    public DeviceGroup join(byte[] name, int rank, int ranks) {
        return new CudaGroup(new NcclCommunicator(context, library(), name, rank, ranks));
    }

    @Override
    @MustBeClosed
    public PreparedReduction reduction(DeviceGroup group, int most) {
        return new CudaGroupReduction(context, globals, CudaGroup.communicator(group), most);
    }
}

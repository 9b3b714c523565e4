package org.trellis.distributed.mesh;

import java.util.Arrays;
import org.trellis.distributed.communicate.Packet;
import org.trellis.mesh.BroughtValues;
import org.trellis.mesh.Dat;

/** The values of a dat whose elements are at home here, in the user's order. */
final class HomeValues {
    private final Dat dat;
    private final Homes homes;
    private final double[] values;

    private HomeValues(Dat dat, Homes homes, double[] values) {
        this.dat = dat;
        this.homes = homes;
        this.values = values;
    }

    /** Brings values home. Called by all ranks. */
    static HomeValues of(Dat dat, Homes homes) {
        int first = homes.first(dat.set());
        int components = dat.components();
        if (dat.brought().isEmpty()) {
            return new HomeValues(dat, homes, Arrays.copyOfRange(dat.toArray(), first * components,
                    homes.end(dat.set()) * components));
        }
        BroughtValues brought = dat.brought().get();
        HomeMail mail = new HomeMail(homes.communicator());
        for (int row = 0; row < brought.elements().length; row++) {
            Packet packet = mail.to(homes.of(dat.set(), brought.elements()[row])).put(brought.elements()[row]);
            for (int c = 0; c < components; c++) {
                packet.put(Double.doubleToRawLongBits(brought.values()[row * components + c]));
            }
        }
        Packet[] packets = mail.send();
        HomeCheck check = new HomeCheck(dat.toString(), dat.set(), homes);
        double[] values = new double[(homes.end(dat.set()) - first) * components];
        for (int rank = 0; rank < packets.length; rank++) {
            while (packets[rank].hasMore()) {
                int element = packets[rank].getInt();
                check.brought(element, rank);
                read(packets[rank], values, (element - first) * components, components);
            }
        }
        check.run();
        return new HomeValues(dat, homes, values);
    }

    private static void read(Packet packet, double[] values, int at, int count) {
        for (int c = 0; c < count; c++) {
            values[at + c] = Double.longBitsToDouble(packet.getLong());
        }
    }

    /** The values of what is at home here; the array itself. */
    double[] here() {
        return values;
    }

    /** Returns the values of some elements, wherever they are at home. Called by all ranks. */
    double[] of(int[] elements) {
        int components = dat.components();
        int first = homes.first(dat.set());
        HomeMail questions = new HomeMail(homes.communicator());
        for (int element : elements) {
            questions.to(homes.of(dat.set(), element)).put(element);
        }
        Packet[] asked = questions.send();
        HomeMail answers = new HomeMail(homes.communicator());
        for (int rank = 0; rank < asked.length; rank++) {
            while (asked[rank].hasMore()) {
                int at = (asked[rank].getInt() - first) * components;
                for (int c = 0; c < components; c++) {
                    answers.to(rank).put(Double.doubleToRawLongBits(values[at + c]));
                }
            }
        }
        Packet[] back = answers.send();
        double[] found = new double[elements.length * components];
        for (int i = 0; i < elements.length; i++) {
            read(back[homes.of(dat.set(), elements[i])], found, i * components, components);
        }
        return found;
    }
}

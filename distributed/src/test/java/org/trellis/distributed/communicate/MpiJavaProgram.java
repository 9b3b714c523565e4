package org.trellis.distributed.communicate;

import java.util.Arrays;
import org.trellis.common.Configuration;

/** What the ranks run that the tests start under MPJ Express; the last argument says which of several things. */
public final class MpiJavaProgram {
    private MpiJavaProgram() {}

    /**
     * Runs a part.
     *
     * @param arguments those of the launcher, and a name
     */
    public static void main(String... arguments) {
        String part = arguments[arguments.length - 1];
        String text = MpiJavaRanks.run(Arrays.copyOf(arguments, arguments.length), Configuration.load(),
                communicator -> MpiProgram.run(part, communicator));
        if (text != null) {
            System.out.println(text);
        }
    }
}

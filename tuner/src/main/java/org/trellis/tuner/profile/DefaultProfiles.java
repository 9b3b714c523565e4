package org.trellis.tuner.profile;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;

/** The profiles that come with the library: an NVIDIA H200 and a processor with AVX-512 and two threads. */
public final class DefaultProfiles {
    private static final List<String> NAMES = List.of("nvidia-h200.json.gz", "cpu-avx512-2.json.gz");

    private DefaultProfiles() {}

    /** Read at the first use and kept. */
    private static final class Holder {
        private static final List<Profile> ALL = NAMES.stream().map(DefaultProfiles::read).toList();

        private Holder() {}
    }

    /**
     * Returns the profiles.
     *
     * @return each of one device, with its model
     */
    public static List<Profile> all() {
        return Holder.ALL;
    }

    private static Profile read(String name) {
        try (InputStream input = DefaultProfiles.class.getResourceAsStream(name)) {
            if (input == null) {
                throw new IllegalStateException("the library lacks its profile " + name);
            }
            return Profile.parse(name, Profile.text(name, input));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

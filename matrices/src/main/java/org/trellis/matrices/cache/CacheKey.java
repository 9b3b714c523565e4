package org.trellis.matrices.cache;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import org.trellis.common.Precision;
import org.trellis.matrices.io.ComplexPolicy;
import org.trellis.matrices.io.ReadOptions;

/**
 * What an entry belongs to.
 *
 * @param path      the file, absolute and without links
 * @param size      its size in bytes
 * @param modified  when it was modified
 * @param identity  what the file system calls it, so that a file put in its place is noticed
 * @param precision type of the values
 * @param policy    what became of complex values
 */
record CacheKey(String path, long size, Instant modified, String identity, Precision precision,
        ComplexPolicy policy) {

    private static final int NAME_BYTES = 16;

    static CacheKey of(Path file, ReadOptions options) throws IOException {
        Path real = file.toRealPath();
        BasicFileAttributes attributes = Files.readAttributes(real, BasicFileAttributes.class);
        return new CacheKey(real.toString(), attributes.size(), attributes.lastModifiedTime().toInstant(),
                String.valueOf(attributes.fileKey()), options.precision(), options.complexPolicy());
    }

    /** The name of the entry: the same for all versions of a file, so that a new one replaces the old. */
    String entryName() {
        String place = path + '\0' + precision.label() + '\0' + policy.name();
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(place.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, NAME_BYTES) + ".csr";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** The key as bytes, to be compared with those of an entry. */
    byte[] toBytes() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream output = new DataOutputStream(bytes);
        for (String text : new String[]{path, identity, precision.label(), policy.name()}) {
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            output.writeInt(utf8.length);
            output.write(utf8);
        }
        output.writeLong(size);
        output.writeLong(modified.getEpochSecond());
        output.writeInt(modified.getNano());
        return bytes.toByteArray();
    }
}

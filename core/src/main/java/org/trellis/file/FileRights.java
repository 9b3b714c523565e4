package org.trellis.file;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.EnumSet;
import java.util.Set;

/**
 * Who may do what with a file. At no time may others do more with a file that gets these rights.
 *
 * @param permissions null where the system decides, as for new files
 * @param owner       null for this user
 * @param group       null for the one that the system chooses
 */
record FileRights(Set<PosixFilePermission> permissions, UserPrincipal owner, GroupPrincipal group) {
    /** Those that the system gives to new files. */
    static final FileRights OF_NEW_FILES = new FileRights(null, null, null);

    private static final Set<PosixFilePermission> OWN = Set.of(PosixFilePermission.OWNER_READ,
            PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);
    private static final Set<PosixFilePermission> OF_GROUP = Set.of(PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE, PosixFilePermission.GROUP_EXECUTE);

    /** Those of a file that exists. */
    static FileRights of(Path file) throws IOException {
        if (!posix(file)) {
            return OF_NEW_FILES;
        }
        PosixFileAttributes attributes = Files.readAttributes(file, PosixFileAttributes.class);
        return new FileRights(attributes.permissions(), attributes.owner(), attributes.group());
    }

    /** This user's only; no more of them than some file's owner has, but at least to read. */
    static FileRights ownOf(Path file) throws IOException {
        if (!posix(file)) {
            return OF_NEW_FILES;
        }
        EnumSet<PosixFilePermission> own = EnumSet.copyOf(OWN);
        own.remove(PosixFilePermission.OWNER_EXECUTE);
        own.retainAll(Files.getPosixFilePermissions(file));
        own.add(PosixFilePermission.OWNER_READ);
        return new FileRights(own, null, null);
    }

    /** This user's only, in a folder. */
    static FileRights own(Path folder) {
        return posix(folder)
                ? new FileRights(Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE), null, null)
                : OF_NEW_FILES;
    }

    static boolean posix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    /** What a file is created with: this user's part, as the group of a new file may be another one. */
    FileAttribute<?>[] attributes() {
        if (permissions == null) {
            return new FileAttribute<?>[0];
        }
        EnumSet<PosixFilePermission> own = EnumSet.copyOf(OWN);
        own.retainAll(permissions);
        return new FileAttribute<?>[]{PosixFilePermissions.asFileAttribute(own)};
    }

    /** Gives them to a file that was created with {@link #attributes}. */
    void giveTo(Path file) throws IOException {
        if (permissions == null) {
            return;
        }
        PosixFileAttributeView view =
                Files.getFileAttributeView(file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        PosixFileAttributes now = view.readAttributes();
        EnumSet<PosixFilePermission> given = EnumSet.noneOf(PosixFilePermission.class);
        given.addAll(permissions);
        if (group != null && !group.equals(now.group()) && !done(() -> view.setGroup(group))) {
            given.removeAll(OF_GROUP);
        }
        if (!given.equals(now.permissions())) {
            Files.setPosixFilePermissions(file, given);
        }
        if (owner != null && !owner.equals(now.owner())) {
            done(() -> view.setOwner(owner));
        }
    }

    private interface Change {
        void run() throws IOException;
    }

    /** Only the superuser may give files away, and others may name their own groups only. */
    private static boolean done(Change change) throws IOException {
        try {
            change.run();
            return true;
        } catch (FileSystemException e) {
            return false;
        }
    }
}

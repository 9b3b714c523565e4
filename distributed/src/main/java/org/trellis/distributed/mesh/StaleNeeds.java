package org.trellis.distributed.mesh;

import java.util.ArrayList;
import java.util.List;

/**
 * What may have to be brought up to date before something runs, and the message that brings what has to be now. Looking
 * allocates nothing once the same things have been out of date before.
 */
final class StaleNeeds {
    private final HaloMessages messages;
    private final HaloNeed[] needs;
    private final List<boolean[]> known = new ArrayList<>();
    private final List<HaloMessage> made = new ArrayList<>();
    private final boolean[] stale;

    StaleNeeds(HaloMessages messages, List<HaloNeed> needs) {
        this.messages = messages;
        this.needs = needs.stream().distinct().toArray(HaloNeed[]::new);
        this.stale = new boolean[this.needs.length];
    }

    /** Returns the message to exchange, or null if everything is up to date. */
    HaloMessage message() {
        boolean any = false;
        for (int i = 0; i < needs.length; i++) {
            stale[i] = !needs[i].isMet();
            any |= stale[i];
        }
        if (!any) {
            return null;
        }
        for (int k = 0; k < known.size(); k++) {
            if (isNow(known.get(k))) {
                return made.get(k);
            }
        }
        HaloMessage message = messages.of(wanted());
        known.add(stale.clone());
        made.add(message);
        return message;
    }

    private boolean isNow(boolean[] before) {
        for (int i = 0; i < stale.length; i++) {
            if (before[i] != stale[i]) {
                return false;
            }
        }
        return true;
    }

    /** Lists what is out of date, but for what another part of the list contains. */
    private List<HaloNeed> wanted() {
        List<HaloNeed> wanted = new ArrayList<>();
        for (int i = 0; i < needs.length; i++) {
            boolean covered = !stale[i];
            for (int j = 0; j < needs.length && !covered; j++) {
                boolean within = j != i && stale[j] && needs[j].dat() == needs[i].dat()
                        && needs[i].key().isWithin(needs[j].key());
                covered = within && (j < i || !needs[j].key().isWithin(needs[i].key()));
            }
            if (!covered) {
                wanted.add(needs[i]);
            }
        }
        return wanted;
    }
}

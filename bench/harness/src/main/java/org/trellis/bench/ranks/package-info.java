/** Commands on several ranks: where they run, what starts them, and what all of them do alike. */
package org.trellis.bench.ranks;

/** Commands on tuning profiles: print, import, train a model, show features. */
package org.trellis.bench.profile;

package org.loam.lsm.memory;

import java.util.SplittableRandom;

/** Kinds of keys that a tree must cope with; each makes a key from a number. */
enum KeyShape {
  /** Eight bytes and more, all different. */
  RANDOM {
    @Override
    byte[] key(long number) {
      byte[] key = new byte[8 + (int) (number % 5)];
      new SplittableRandom(number).nextBytes(key);
      return key;
    }
  },
  /** Few byte values, zeros among them: empty keys, prefixes of each other, padded heads. */
  SHORT {
    @Override
    byte[] key(long number) {
      byte[] alphabet = {0, 1, 'a', -1};
      SplittableRandom random = new SplittableRandom(number);
      byte[] key = new byte[random.nextInt(12)];
      for (int i = 0; i < key.length; i++) {
        key[i] = alphabet[random.nextInt(alphabet.length)];
      }
      return key;
    }
  },
  /** Zeros only, of all lengths: every head is the same. */
  ZEROS {
    @Override
    byte[] key(long number) {
      return new byte[(int) (number % 900)];
    }
  },
  ASCENDING {
    @Override
    byte[] key(long number) {
      return Fixture.bytes(String.format("user%020d", number));
    }
  },
  DESCENDING {
    @Override
    byte[] key(long number) {
      return Fixture.bytes(String.format("user%020d", (1L << 40) - number));
    }
  },
  /** A long prefix before the digits that matter, and few keys without it on either side. */
  OUTLIERS {
    @Override
    byte[] key(long number) {
      long mixed = new SplittableRandom(number).nextLong();
      if (number % 97 == 13) {
        return Fixture.bytes((mixed < 0 ? "a" : "z") + Long.toHexString(mixed));
      }
      return Fixture.bytes("customer:0000:" + Long.toHexString(mixed >>> 20));
    }
  },
  /** Two-part keys with runs of equal first parts, longer than a head. */
  COMPOSITE {
    @Override
    byte[] key(long number) {
      long mixed = new SplittableRandom(number).nextLong() & 0xffff;
      return Fixture.bytes(String.format("category-%03d/%05d", mixed % 17, number % 5000));
    }
  };

  abstract byte[] key(long number);
}

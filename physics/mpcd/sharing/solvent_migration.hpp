// Solvent particles that have left their rank's domain go to the neighbour that they are with, and others come: these
// take the places of those that left, so that nothing else moves and no sort is needed. If more have left than come,
// the last particles fill the places that remain. Where a sort comes next anyway, it does all that by the way.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "comm/migration.hpp"
#include "grid/field_rows.hpp"
#include "physics/mpcd/sharing/leaver_mail.hpp"

namespace mesowarp::mpcd {

class SolventMigration {
public:
  // mail: the transport that takes leavers to their neighbours; none: as messages.
  SolventMigration(const comm::Communicator& ranks, const Domain& domain, int particles,
                   std::optional<TransportStyle> mail = std::nullopt)
      : ranks_(ranks), domain_(domain), particles_(particles), mailBy_(mail),
        migration_(ranks, domain, particles, comm::LeaverOrder::any), counts_("places to fill", 2) {}

  struct Moved {
    int left, arrived;
  };
  // Of so many particles. find: looks for all leavers; once more where there was no room for them. rows: of the
  // particles, with room for so many. Collective.
  // meanwhile: gives the device what does not change particles, while the host waits and ranks exchange theirs.
  // behind: arrivals are stored behind all particles, and leavers' places are not filled: a sort that follows does
  // both.
  Moved migrate(int particles, const std::function<void(const Leavers&)>& find,
                const std::function<FieldRows(int)>& rows, const std::function<void()>& meanwhile, bool behind = false);
  std::size_t bytes() const {
    return (mail_ ? mail_->bytes() : 0) + (holes_.extent(0) + gone_.extent(0) + movers_.extent(0)) * sizeof(int);
  }

private:
  using Rows = std::function<FieldRows(int)>;
  const Leavers& leavers();  // none yet
  void reserve(int places);
  // False: there was no room for all.
  bool mail(int particles, const std::function<void(const Leavers&)>& find, const Rows& rows,
            const std::function<void()>& meanwhile);
  void messages(int particles, const std::function<void(const Leavers&)>& find, const Rows& rows,
                const std::function<void()>& meanwhile);
  // Stores arrivals, the first ones in places that are free, so many, and the others behind.
  using Unpack = std::function<void(const FieldRows&, int)>;
  void settle(int particles, const Moved& moved, const Rows& rows, const Unpack& unpack);

  const comm::Communicator& ranks_;
  Domain domain_;
  int particles_;
  std::optional<TransportStyle> mailBy_;
  std::unique_ptr<LeaverMail> mail_;  // from the first migration on
  comm::Migration migration_;
  backend::SideStream side_;
  Leavers found_;
  DeviceArray<int> counts_;                 // holes among those that stay; particles that must fill some of them
  DeviceArray<int> holes_, gone_, movers_;  // gone: of the last places, whether they are empty
};

}  // namespace mesowarp::mpcd

// Triangulated surfaces over time: surfaces.h5, and surfaces.xmf, by which ParaView opens it. Triangles do not change,
// so they are there once.
#pragma once

#include <string>
#include <vector>

#include "io/fields/xdmf_series.hpp"
#include "io/frames/frame_file.hpp"

namespace mesowarp::io {

struct SurfaceLayout {
  std::string name;
  std::size_t vertices = 0;             // of all cells
  std::vector<std::int64_t> triangles;  // three vertices each
  std::vector<std::int64_t> cell;       // of each vertex
  std::vector<std::string> solutes;     // whose concentrations vertices carry
};

class SurfaceFrames {
public:
  static constexpr const char* name = "surfaces";  // of the files, without endings

  explicit SurfaceFrames(std::vector<SurfaceLayout> layouts);
  static std::string pathIn(const std::string& directory) { return directory + "/" + name + ".h5"; }

  // As of a FrameFile.
  EarlierOutput look(const std::string& directory, std::int64_t step, const FileMarks& marks) const;
  void create(const std::string& directory);
  void resume(const std::string& directory, std::int64_t lastStep, const EarlierOutput& earlier);

  // values: of each surface, positions, three numbers a vertex; then each solute's concentrations.
  void append(std::int64_t step, double time, const std::vector<std::vector<std::vector<double>>>& values);
  std::int64_t lastStep() const { return file_.front().lastStep(layouts_.size() - 1); }
  void flush() { file_.front().flush(); }
  void mark(std::int64_t step, FileMarks& marks) { file_.front().mark(step, marks); }

private:
  void list();
  std::string grid(std::size_t frame) const;
  std::string surface(const SurfaceLayout& layout, const std::string& title, const std::string& time,
                      std::size_t frame) const;

  std::vector<SurfaceLayout> layouts_;
  std::vector<FrameGroup> groups_;
  std::vector<FrameFile> file_;  // one, once it is open
  std::vector<XdmfSeries> xdmf_;
  std::size_t listed_ = 0;
};

}  // namespace mesowarp::io
